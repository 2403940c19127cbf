// The `_meta` that every request of the protocol 2026-07-28 carries.

export function modernMeta(changes: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'contract-tests', version: '1.0.0' },
    ...changes,
  };
}
