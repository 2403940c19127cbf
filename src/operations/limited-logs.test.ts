// What a reader from whom skills are hidden sees of the log: payloads of their own calls alone (N4).
import { expect, test } from 'vitest';
import { agentCaller, type Caller, ownerKey, recordedName, userCaller } from '../identity/caller.ts';
import { lentBy, withIssuers } from '../identity/lent-grants.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import type { Invocation } from '../skills/define/invocation.ts';
import { createMemoryLog } from '../skills/fixtures/memory-log.ts';
import { limitLogs } from './limited-logs.ts';
import type { Logs } from './log.ts';

const person = userCaller('u-1');
const lent = withIssuers(person, lentBy(agentCaller('login')));
const via = (clientId: string): Caller => ({
  ...person,
  via: { client: 'Host', clientId, person: 'user:u-1', scopes: undefined },
});

/** Whether this reader sees what was sent in and answered, alone and in a page. */
async function seesPayloads(reader: Caller, recorded: Pick<Invocation, 'invokingAgent' | 'ownerKey'>) {
  const log = createMemoryLog();
  const timestamp = new Date();
  await log.end(
    {
      ...recorded,
      id: 'i',
      skillName: 'plan',
      inputPayload: 'sent',
      correlationId: 'c',
      timestamp,
      status: 'completed',
    },
    { invocationId: 'i', success: true, outputPayload: { got: 'answered' }, durationMs: 1, timestamp },
  );
  const view = {} as Repertoire;
  const { invocations } = limitLogs({ invocations: log } as unknown as Logs, { view, all: view }, reader);
  const found = [await invocations.find('i'), (await invocations.list({ limit: 1 })).invocations[0]];
  const texts = found.map((each) => JSON.stringify(each));
  return texts.map((text) => text.includes('sent') && text.includes('answered'));
}

const asNow = (caller: Caller) => ({ invokingAgent: recordedName(caller), ownerKey: ownerKey(caller) });

test.each([
  ['their own', person, person, true],
  ['what a client of theirs did', person, via('a'), true],
  ['what was done with a token that an agent issued for them', person, lent, true],
  ['with such a token, what the person did', lent, person, false],
  ['through a client, what another did that calls itself the same', via('b'), via('a'), false],
  ['an agent that is called so, what the person did', agentCaller('u-1'), person, false],
  ['the person, what an agent did that is called so', person, agentCaller('u-1'), false],
])('%s: payloads are shown to those whose call it is (N4, J2)', async (_what, reader, owner, isShown) => {
  expect(await seesPayloads(reader, asNow(owner))).toEqual([isShown, isShown]);
});

test('of what an earlier version recorded, to those who are called so (N4)', async () => {
  expect(await seesPayloads(person, { invokingAgent: 'u-1' })).toEqual([true, true]);
  expect(await seesPayloads(person, { invokingAgent: 'u-1 via Host' })).toEqual([true, true]);
  expect(await seesPayloads(via('a'), { invokingAgent: 'u-1' })).toEqual([false, false]);
  expect(await seesPayloads(agentCaller('other'), { invokingAgent: 'u-1' })).toEqual([false, false]);
});
