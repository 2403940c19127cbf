// Everything that ran under one correlation id: a list of the log ends by bytes and shows long payloads cut, so further pages
// are asked for, and workflows one by one. Which steps are theirs is in what went in and came out.
import type { InvocationList, InvocationWithResult } from '../model/shapes.ts';
import { type Answer, type Asking, ask, withQuery } from './ask.ts';

type Listed = InvocationList['invocations'][number];

const MOST_STEPS = 1_000;
const MOST_WORKFLOWS = 20;

/** `path`: of the first page. */
export async function loadTrace(path: string, asking: Asking): Promise<Answer<readonly Listed[]>> {
  const listed: Listed[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = MOST_STEPS - listed.length;
    const page = await ask<InvocationList>(withQuery(path, { limit, cursor }), asking);
    if (!page.ok) return page;
    listed.push(...page.value.invocations);
    cursor = page.value.next_cursor ?? undefined;
    if (cursor === undefined || listed.length >= MOST_STEPS) break;
  }
  const whole = new Map<string, Listed>();
  for (const { id } of listed.filter(isCutWorkflow).slice(0, MOST_WORKFLOWS)) {
    const one = await ask<InvocationWithResult>(`/api/invocations/${id}`, asking);
    if (one.ok) whole.set(id, { ...one.value.invocation, result: one.value.result });
  }
  return { ok: true, value: listed.map((each) => whole.get(each.id) ?? each) };
}

/** By its name, or because the beginning of a payload says so. */
function isCutWorkflow({ skill_name, input_payload, result }: Listed): boolean {
  const beginnings = [input_payload, result?.output_payload].flatMap(beginningOf);
  return beginnings.some((text) => skill_name === 'workflow_coordination' || text.includes('"steps"'));
}

function beginningOf(payload: unknown): readonly string[] {
  const { cut, begins } = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>;
  return cut === true && typeof begins === 'string' ? [begins] : [];
}
