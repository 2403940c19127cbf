// The library on both stores: versions, decisions, the policy, conflicts, and the trail of it all (L1–L5, L7).
import { beforeEach, describe, expect, test } from 'vitest';
import { readYamlFrontmatter } from '../../../src/document/yaml-frontmatter.ts';
import { checkFiles } from '../../../src/library/check-files.ts';
import type { Actor, Library, NewVersion } from '../../../src/library/library.ts';
import type { Store } from '../../../src/store/store.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const ANN: Actor = {
  name: 'user:ann@example.com',
  key: 'user:1',
  makers: ['user:1'],
  mayApprove: true,
  isOperator: false,
};
const BEN: Actor = {
  name: 'user:ben@example.com',
  key: 'user:2',
  makers: ['user:2'],
  mayApprove: true,
  isOperator: false,
};
const BOT: Actor = { name: 'agent:bot', key: 'agent:bot', makers: ['agent:bot'], mayApprove: false, isOperator: false };

const OPERATOR: Actor = {
  name: 'local',
  key: 'operator:local',
  makers: ['operator:local'],
  mayApprove: true,
  isOperator: true,
};
const CLIENT: Actor = { ...OPERATOR, name: 'agent:desk via Desk', isOperator: false };

const skill = (body: string, name = 'refunds') =>
  `---\nname: ${name}\ndescription: How refunds are made.\n---\n${body}\n`;

function versionOf(body: string, actor: Actor, more: Partial<NewVersion> = {}): NewVersion {
  const name = more.name ?? 'refunds';
  const files = [
    { path: 'SKILL.md', text: skill(body, name) },
    { path: 'bin/run.sh', text: `echo ${body}\n`, executable: true },
  ];
  const checked = checkFiles(name, files, readYamlFrontmatter);
  if (!checked.ok) throw new Error(checked.failure.join('; '));
  return { name, ...checked.value, message: body, base: undefined, actor, onlyProposed: false, ...more };
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let store: Store;
  let library: Library;
  beforeEach(async () => {
    store = world.open(await world.place(kind));
    library = store.library;
  });

  async function make(body: string, actor: Actor, more: Partial<NewVersion> = {}) {
    const made = await library.make(versionOf(body, actor, more));
    if (!made.ok) throw new Error(JSON.stringify(made.failure));
    return made.value;
  }
  const entries = async () =>
    (await store.trail.list({ limit: 100 })).entries
      .map(({ actor, action, subject, digest }) => [actor, action, subject, digest?.slice(7, 15)])
      .reverse();
  const short = (digest: string) => digest.slice(7, 15);

  test('a version by one who may approve is current at once, and its bytes come back (L1, L2)', async () => {
    const { version, isNew } = await make('one', ANN);
    expect([version.state, version.isCurrent, isNew, version.author]).toEqual(['approved', true, true, ANN.name]);
    expect(await library.current()).toEqual([{ name: 'refunds', digest: version.digest }]);
    const bytes = await library.readFiles(version.files);
    expect(version.files.map(({ path, sha256, executable }) => [path, String(bytes.get(sha256)), executable])).toEqual([
      ['SKILL.md', skill('one'), false],
      ['bin/run.sh', 'echo one\n', true],
    ]);
    expect(await entries()).toEqual([
      [ANN.name, 'skill.version', 'refunds', short(version.digest)],
      [ANN.name, 'skill.approve', 'refunds', short(version.digest)],
    ]);
    expect((await store.trail.verify()).fault).toBeUndefined();
  });

  test('one who may only propose makes a version that waits; approval makes it current, once (L2)', async () => {
    const { version } = await make('one', BOT);
    expect([version.state, version.isCurrent]).toEqual(['proposed', false]);
    expect(await library.current()).toEqual([]);
    expect(await library.list()).toEqual([
      { name: 'refunds', current: null, newest: version.digest, proposed: [version.digest] },
    ]);
    const choice = { name: 'refunds', digest: version.digest, actor: ANN, message: 'good' };
    const approved = await library.approve(choice);
    expect(approved.ok && [approved.value.state, approved.value.isCurrent]).toEqual(['approved', true]);
    for (const again of [await library.approve(choice), await library.reject(choice)])
      expect(again).toMatchObject({ ok: false, failure: { kind: 'state' } });
    expect((await entries()).map(([, action]) => action)).toEqual(['skill.version', 'skill.approve']);
  });

  test('with review on nobody approves their own, whoever made it (L2)', async () => {
    await library.setPolicy('on', ANN);
    await library.setPolicy('on', ANN);
    const { version } = await make('one', ANN);
    expect(version.state).toBe('proposed');
    const choice = { name: 'refunds', digest: version.digest, message: '' };
    expect(await library.approve({ ...choice, actor: ANN })).toMatchObject({ ok: false, failure: { kind: 'own' } });
    expect(await library.approve({ ...choice, actor: BEN })).toMatchObject({ ok: true });
    expect((await entries()).map(([, action]) => action)).toEqual(['review.policy', 'skill.version', 'skill.approve']);
  });

  test.each(['*', '?'])(
    'with review on, what came of %s that names no maker is approved by the operator alone (L2)',
    async (maker) => {
      await library.setPolicy('on', OPERATOR);
      const { version } = await make('one', { ...BOT, makers: ['user:3', maker] });
      const choice = { name: 'refunds', digest: version.digest, message: '' };
      for (const actor of [ANN, CLIENT])
        expect(await library.approve({ ...choice, actor })).toMatchObject({ ok: false, failure: { kind: 'own' } });
      expect(await library.approve({ ...choice, actor: OPERATOR })).toMatchObject({ ok: true });
    },
  );

  test('another base than the newest is a conflict with both digests, and leaves nothing (L1)', async () => {
    const one = (await make('one', ANN)).version;
    const two = (await make('two', ANN, { base: one.digest })).version;
    const late = await library.make(versionOf('three', BEN, { base: one.digest }));
    expect(late).toEqual({ ok: false, failure: { kind: 'conflict', base: one.digest, newest: two.digest } });
    const strange = await library.make(versionOf('x', BEN, { name: 'other', base: one.digest }));
    expect(strange).toMatchObject({ ok: false, failure: { kind: 'conflict', newest: null } });
    expect((await library.versions('refunds')).map(({ number }) => number)).toEqual([2, 1]);
    expect((await library.list()).map(({ name }) => name)).toEqual(['refunds']);
    expect(await library.readFiles(versionOf('three', BEN).files)).toEqual(new Map());
  });

  test('the same files again are the same version, current again where the caller may approve (L1)', async () => {
    const one = (await make('one', BOT)).version;
    await library.approve({ name: 'refunds', digest: one.digest, actor: ANN, message: '' });
    const two = (await make('two', ANN)).version;
    const byBot = await make('one', BOT);
    expect([byBot.isNew, byBot.version.isCurrent, byBot.version.author]).toEqual([false, false, BOT.name]);
    const byAnn = await make('one', ANN);
    expect([byAnn.isNew, byAnn.version.isCurrent, byAnn.version.message]).toEqual([false, true, 'one']);
    expect((await library.list())[0]).toMatchObject({ current: one.digest, newest: two.digest });
    expect((await entries()).at(-1)).toEqual([ANN.name, 'skill.rollback', 'refunds', short(one.digest)]);
  });

  test('roll back, withdraw, delete: each is entered, and versions stay readable (L3, L5)', async () => {
    const one = (await make('one', ANN)).version;
    const two = (await make('two', ANN)).version;
    const waiting = (await make('three', BOT)).version;
    const to = (digest: string) => ({ name: 'refunds', digest, actor: ANN, message: '' });
    expect(await library.rollBack(to(waiting.digest))).toMatchObject({ ok: false, failure: { kind: 'state' } });
    expect(await library.rollBack(to(one.digest))).toMatchObject({ ok: true, value: { isCurrent: true } });
    expect(await library.withdraw('refunds', ANN)).toMatchObject({ ok: true, value: { current: null } });
    expect(await library.current()).toEqual([]);
    expect(await library.rollBack(to(two.digest))).toMatchObject({ ok: true });
    expect(await library.remove('refunds', ANN)).toMatchObject({ ok: true });
    expect([await library.list(), await library.current()]).toEqual([[], []]);
    expect((await library.findVersion('refunds', two.digest))?.message).toBe('two');
    expect(await library.approve(to(waiting.digest))).toMatchObject({ ok: false, failure: { kind: 'missing' } });
    expect((await entries()).map(([, action]) => action).slice(5)).toEqual([
      'skill.rollback',
      'skill.withdraw',
      'skill.rollback',
      'skill.delete',
    ]);
    const back = await make('four', ANN);
    expect((await library.list())[0]).toMatchObject({ current: back.version.digest });
  });

  test('what was never current can be deleted with its bytes, what was stays (L3, L4, L5)', async () => {
    const one = (await make('one', ANN)).version;
    const waiting = (await make('two', BOT)).version;
    const of = (digest: string) => ({ name: 'refunds', digest, actor: ANN });
    expect(await library.discard(of(one.digest))).toMatchObject({ ok: false, failure: { kind: 'state' } });
    expect(await library.discard(of(waiting.digest))).toMatchObject({ ok: true, value: { digest: waiting.digest } });
    expect(await library.discard(of(waiting.digest))).toMatchObject({ ok: false, failure: { kind: 'missing' } });
    expect((await library.readFiles(waiting.files)).size).toBe(0);
    expect((await library.readFiles(one.files)).size).toBe(2);
    expect((await library.list())[0]).toMatchObject({ current: one.digest, newest: one.digest, proposed: [] });
    expect((await entries()).at(-1)).toEqual([ANN.name, 'skill.discard', 'refunds', short(waiting.digest)]);
    expect((await store.trail.verify()).fault).toBeUndefined();
  });

  test('the only version of a skill takes the skill with it, and files of others stay (L3)', async () => {
    const shared = { path: 'shared.txt', text: 'the same in both' };
    const filesOf = (name: string) => {
      const checked = checkFiles(name, [{ path: 'SKILL.md', text: skill('x', name) }, shared], readYamlFrontmatter);
      if (!checked.ok) throw new Error(checked.failure.join('; '));
      return { name, ...checked.value };
    };
    const [gone, kept] = [
      (await make('x', BOT, filesOf('gone'))).version,
      (await make('x', BOT, filesOf('kept'))).version,
    ];
    expect(await library.discard({ name: 'gone', digest: gone.digest, actor: ANN })).toMatchObject({ ok: true });
    expect((await library.list()).map(({ name }) => name)).toEqual(['kept']);
    expect((await library.readFiles(kept.files)).size).toBe(2);
    expect((await make('again', ANN, filesOf('gone'))).version).toMatchObject({ number: 1, isCurrent: true });
  });

  test('a version that is made while one with the same files is deleted has all of its bytes (L1)', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { version } = await make(`round ${round}`, BOT);
      const [, made] = await Promise.all([
        library.discard({ name: 'refunds', digest: version.digest, actor: ANN }),
        library.make(versionOf(`round ${round}`, BOT)),
      ]);
      const again = made.ok ? await library.findVersion('refunds', made.value.version.digest) : undefined;
      if (again !== undefined) expect((await library.readFiles(again.files)).size).toBe(2);
    }
  });

  test('what an agent proposes waits, also where its caller may approve (L6)', async () => {
    const one = (await make('one', ANN)).version;
    expect((await make('two', ANN, { onlyProposed: true })).version.state).toBe('proposed');
    await make('one', ANN, { onlyProposed: true });
    expect(await library.current()).toEqual([{ name: 'refunds', digest: one.digest }]);
  });

  test('sixteen megabytes in one file and in many come back byte by byte (L1)', async () => {
    const big = Buffer.alloc(15 * 1_048_576, 'repertoire ');
    const files = [
      { path: 'SKILL.md', text: skill('big') },
      { path: 'big.bin', base64: big.toString('base64') },
      ...Array.from({ length: 500 }, (_, at) => ({ path: `part/${at}.txt`, text: `${at}\n` })),
    ];
    const checked = checkFiles('refunds', files, readYamlFrontmatter);
    if (!checked.ok) throw new Error(checked.failure.join('; '));
    const { version } = await make('big', ANN, checked.value);
    const bytes = await library.readFiles(version.files);
    expect(version.files.every((file) => bytes.get(file.sha256)?.length === file.size)).toBe(true);
    expect(bytes.get(version.files.find(({ path }) => path === 'big.bin')?.sha256 ?? '')?.equals(big)).toBe(true);
  });

  test('ten who edit at once from one base: one wins, nine hear of a conflict (L1)', async () => {
    const one = (await make('one', ANN)).version;
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) => library.make(versionOf(`edit ${at}`, ANN, { base: one.digest }))),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await library.versions('refunds')).length).toBe(2);
    expect((await store.trail.verify()).fault).toBeUndefined();
  });
});
