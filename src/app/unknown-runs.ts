// Log lines about runs that were asked for over MCP and are not there for who asked: guessed ids, and others' runs (J4).
import { monotonicMs } from '../async/monotonic-clock.ts';
import { actorOf } from '../identity/trail.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { createFewLines } from '../surfaces/http/message/few-lines.ts';
import type { NoteUnknownRun } from '../surfaces/mcp/methods/tasks.ts';
import { withoutCredentials } from '../text/credentials.ts';
import { echoText } from '../text/list-text.ts';

export function createNoteUnknownRun(log: RuntimeLog): NoteUnknownRun {
  const say = createFewLines(log, monotonicMs);
  return (caller, method, id) =>
    say('Refused a request: NOT_FOUND', () => ({
      method,
      actor: actorOf(caller),
      resource: `run ${JSON.stringify(withoutCredentials(echoText(id, 100)))}`,
    }));
}
