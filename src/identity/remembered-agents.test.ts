// When the store is asked about an agent's token, and what holds while it is away (H5, F1).
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocalBus, type LocalBus } from '../async/bus.ts';
import { StoreUnavailable } from '../values/store-unavailable.ts';
import type { Agent, AgentStore } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { createIdentityNews } from './identity-news.ts';
import { createRememberedAgents } from './remembered-agents.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const AGENT: Agent = {
  name: 'billing',
  roles: ['TaskAgent'],
  scopes: ['log:read'],
  createdAt: NOW,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
};
const IN = { ok: true, value: { kind: 'agent', name: 'billing', roles: ['TaskAgent'], scopes: ['log:read'] } };
const BAD = { ok: false, failure: 'bad' };
const UNAVAILABLE = { ok: false, failure: 'unavailable' };

let ms: number;
let now: Date;
let findByDigest: ReturnType<typeof vi.fn<AgentStore['findByDigest']>>;
let noteUse: ReturnType<typeof vi.fn<AgentStore['noteUse']>>;
let find: (digest: string) => Authentication | Promise<Authentication>;
beforeEach(() => {
  ms = 1_000;
  now = NOW;
  findByDigest = vi.fn<AgentStore['findByDigest']>(async () => AGENT);
  noteUse = vi.fn<AgentStore['noteUse']>();
  find = createRememberedAgents({ agents: { findByDigest, noteUse }, now: () => now, monotonicMs: () => ms });
});

/** The store has answered what it was asked. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a known agent', () => {
  beforeEach(async () => {
    expect(await find('d')).toEqual(IN);
    findByDigest.mockClear();
  });

  test('is let in at once, without a question, for five seconds (H5)', () => {
    ms += 4_999;
    expect(find('d')).toEqual(IN);
    expect(findByDigest).not.toHaveBeenCalled();
  });

  test('then still at once, while the store is asked behind it (H5)', async () => {
    ms += 5_000;
    expect([find('d'), find('d')]).toEqual([IN, IN]);
    expect(findByDigest).toHaveBeenCalledTimes(1);
    await settle();
    ms += 4_999;
    expect(find('d')).toEqual(IN);
    expect(findByDigest).toHaveBeenCalledTimes(1);
  });

  test('that was revoked is refused after ten seconds at the latest (H5)', async () => {
    findByDigest.mockResolvedValue({ ...AGENT, revokedAt: NOW });
    ms += 10_000;
    const answer = find('d');
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual(BAD);
    expect(find('d')).toEqual(BAD);
  });

  test('that was revoked is refused after the question behind an answer, too (H5)', async () => {
    findByDigest.mockResolvedValue(undefined);
    ms += 6_000;
    expect(find('d')).toEqual(IN);
    await settle();
    expect(find('d')).toEqual(BAD);
  });

  test('stays known while the store is away, and hardly ever waits for it (F1)', async () => {
    findByDigest.mockRejectedValue(new StoreUnavailable('away'));
    ms += 3_600_000;
    expect(await find('d')).toEqual(IN);
    for (let second = 0; second < 60; second++) {
      ms += 1_000;
      expect(find('d')).toEqual(IN);
      await settle();
    }
    findByDigest.mockResolvedValue({ ...AGENT, revokedAt: NOW });
    ms += 1_000;
    expect(find('d')).toEqual(IN);
    await settle();
    expect(find('d')).toEqual(BAD);
  });

  test('is refused from the moment it expires (H5)', async () => {
    findByDigest.mockResolvedValue({ ...AGENT, expiresAt: new Date(NOW.getTime() + 1_000) });
    expect(await find('e')).toEqual(IN);
    now = new Date(NOW.getTime() + 999);
    expect(find('e')).toEqual(IN);
    now = new Date(NOW.getTime() + 1_000);
    expect(find('e')).toEqual(BAD);
  });

  test('is noted as used once a minute (H5)', async () => {
    expect(noteUse.mock.calls).toEqual([['d', NOW]]);
    for (let second = 1; second <= 60; second++) {
      ms += 1_000;
      await find('d');
      await settle();
    }
    expect(noteUse).toHaveBeenCalledTimes(2);
  });
});

describe('a stranger', () => {
  test('is refused unasked for five seconds, then looked for again (H5)', async () => {
    findByDigest.mockResolvedValue(undefined);
    expect(await find('x')).toEqual(BAD);
    ms += 4_999;
    expect(find('x')).toEqual(BAD);
    expect(findByDigest).toHaveBeenCalledTimes(1);
    findByDigest.mockResolvedValue(AGENT);
    ms += 1;
    expect(await find('x')).toEqual(IN);
  });

  test('cannot be told while the store is away, and is when it is back (F1)', async () => {
    findByDigest.mockRejectedValueOnce(new StoreUnavailable('away'));
    expect(await find('d')).toEqual(UNAVAILABLE);
    expect(await find('d')).toEqual(IN);
  });

  test('drives no known agent out, however many come (F4)', async () => {
    await find('d');
    findByDigest.mockResolvedValue(undefined);
    for (let index = 0; index < 10_001; index++) await find(`x${index}`);
    expect(find('d')).toEqual(IN);
    findByDigest.mockClear();
    expect(find('x10000')).toEqual(BAD);
    // The first of them was forgotten: what is remembered is bounded.
    expect(await find('x0')).toEqual(BAD);
    expect(findByDigest).toHaveBeenCalledTimes(1);
  });
});

test('those who ask for one token at once share one question (H5)', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => find('d')));
  expect(answers).toEqual(Array(50).fill(IN));
  expect(findByDigest).toHaveBeenCalledTimes(1);
});

test('questions under way are bounded: with a store that hangs the next one cannot be told (F4)', async () => {
  findByDigest.mockReturnValue(new Promise(() => {}));
  for (let index = 0; index < 10_000; index++) void find(`x${index}`);
  expect(find('one more')).toEqual(UNAVAILABLE);
});

describe('news of an agent (N3)', () => {
  let bus: LocalBus;
  beforeEach(async () => {
    bus = createLocalBus((error) => {
      throw error;
    });
    const news = createIdentityNews(bus);
    find = createRememberedAgents({ agents: { findByDigest, noteUse }, news, now: () => now, monotonicMs: () => ms });
    expect(await find('d')).toEqual(IN);
    findByDigest.mockClear();
  });
  const revoked = () => bus.deliver('agents', { name: 'billing', change: 'revoked' });

  test('one that was revoked elsewhere is refused with its next request, no time has passed (N3)', async () => {
    findByDigest.mockResolvedValue({ ...AGENT, revokedAt: NOW });
    expect(find('d')).toEqual(IN);
    bus.deliver('agents', { name: 'another', change: 'revoked' });
    expect(find('d')).toEqual(IN);
    revoked();
    expect(await find('d')).toEqual(BAD);
  });

  test('an answer that was on its way is not believed (N3)', async () => {
    let answer = (_agent: Agent) => {};
    findByDigest.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    ms += 10_000;
    const asked = find('d');
    findByDigest.mockResolvedValue({ ...AGENT, revokedAt: NOW });
    revoked();
    answer(AGENT);
    expect(await asked).toEqual(BAD);
  });

  test('late news of a former agent of that name does no harm to the one that has it now (N3)', async () => {
    revoked();
    expect(await find('d')).toEqual(IN);
    expect(find('d')).toEqual(IN);
  });

  test('it is refused while the store cannot be asked, and let in again if that was wrong (N3, F1)', async () => {
    findByDigest.mockRejectedValue(new StoreUnavailable('away'));
    revoked();
    expect(await find('d')).toEqual(BAD);
    findByDigest.mockResolvedValue(AGENT);
    expect(await find('d')).toEqual(IN);
  });

  test('one that was added is not called bad when the news of it come late and the store is away (N3, F1)', async () => {
    findByDigest.mockRejectedValue(new StoreUnavailable('away'));
    bus.deliver('agents', { name: 'billing', change: 'added' });
    expect(await find('d')).toEqual(UNAVAILABLE);
    findByDigest.mockResolvedValue(AGENT);
    expect(await find('d')).toEqual(IN);
  });

  test('after a gap the store is asked before an answer is believed, and what was known holds while it is away (N3, F1)', async () => {
    findByDigest.mockResolvedValue({ ...AGENT, revokedAt: NOW });
    bus.gap();
    expect(await find('d')).toEqual(BAD);
    findByDigest.mockResolvedValue(AGENT);
    expect(await find('e')).toEqual(IN);
    findByDigest.mockRejectedValue(new StoreUnavailable('away'));
    bus.gap();
    expect(await find('e')).toEqual(IN);
  });
});
