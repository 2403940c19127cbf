// The tool `propose_skill`: an agent improves a skill of the library, and a person decides on it (L6). It never changes what is served.
import { type Caller, mayPropose } from '../../../identity/caller.ts';
import { PROPOSERS } from '../../../operations/access.ts';
import { makeVersion, versionFields } from '../../../operations/library.ts';
import { type LibraryPorts, libraryVersion } from '../../../operations/library-json.ts';
import { readAsked, refusalText } from '../../../operations/operation.ts';
import { flag, record, schemaOfFields } from '../../../operations/shape.ts';
import { FAILURE_MODES } from '../../../skills/define/failure.ts';
import { StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { type Tool, type ToolResult, textContent, toolError } from './tool.ts';

const output = record({ version: libraryVersion, created: flag });

const ASKED = { access: PROPOSERS, input: versionFields } as const;

/** `portsFor`: the library as this caller sees it. */
export const proposeSkillTool = (portsFor: (caller: Caller) => LibraryPorts, usual: Caller): Tool => ({
  name: 'propose_skill',
  title: 'Propose a version of a skill',
  describe: () => DESCRIPTION,
  inputSchema: { ...schemaOfFields(versionFields), additionalProperties: false },
  outputSchema: output.schema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  isFor: mayPropose,
  call: async (given, { caller = usual }) => {
    const asked = readAsked(ASKED, given, { caller });
    if (!asked.ok) return toolError(refusalText(asked.failure));
    try {
      const made = await makeVersion(asked.value, { caller }, portsFor(caller), true);
      return made.ok ? proposed(made.value) : toolError(refusalText(made.failure));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return toolError(
        `PERSISTENCE_ERROR: ${FAILURE_MODES.PERSISTENCE_ERROR.suggestedAction}; the library cannot be reached`,
      );
    }
  },
});

const DESCRIPTION =
  'Propose a new skill, or a better version of a skill of the library. Send every file of the skill, with a SKILL.md at the top; ' +
  'what is left out is gone in that version. A person looks at what it changes and decides: until then nothing that is served ' +
  'changes. `base` is the digest of the version that yours was made from.';

type Proposed = Extract<Awaited<ReturnType<typeof makeVersion>>, { readonly ok: true }>['value'];

function proposed(found: Proposed): ToolResult {
  const { name, digest, state } = found.version;
  const waits = state === 'proposed' ? 'it waits for a decision' : `these files are ${state} already`;
  return { content: [textContent(`${name} ${digest}: ${waits}`)], structuredContent: { ...found } };
}
