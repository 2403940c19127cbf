// What an MCP client says of itself in its handshake. Nothing of it is proven.
import type { JsonObject } from '../values/json-object.ts';

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly capabilities: JsonObject;
}
