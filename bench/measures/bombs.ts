// Measures a root full of frontmatter that was made to be slow: until its first list, every bomb a problem (D3).
import { yamlBombs } from '../../tests/support/hostile-skills.ts';
import { writeSkill } from '../corpus.ts';
import { type Measure, type MeasureContext, withServer } from '../measure.ts';
import { timeNode } from '../node-process.ts';
import type { Row } from '../row.ts';

/** Of each kind, so that a cost per file shows. */
const copies = 5;
const mostRounds = 3;

export const measureBombs: Measure = async (context) => {
  const root = context.workshop.folder('bombs');
  for (let copy = 0; copy < copies; copy++)
    for (const { folder, text } of yamlBombs()) writeSkill(root, `${folder}-${copy}`, text);
  const rounds = Math.min(mostRounds, context.rounds);
  const samples: number[] = [];
  const floorSamples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    context.progress(`bombs: round ${round + 1} of ${rounds}`);
    floorSamples.push(await timeNode(['-e', '0'], context.workshop.createBox()));
    samples.push(await startOnce(context, root));
  }
  const row: Row = {
    section: 'bombs',
    what: `${copies * yamlBombs().length} files`,
    unit: 'ms',
    samples,
    floorSamples,
  };
  return [row];
};

function startOnce({ workshop }: MeasureContext, root: string): Promise<number> {
  return withServer(workshop, root, async (client) => {
    await client.greet();
    const { at, result } = await client.request('tools/call', { name: 'list_skills', arguments: {} });
    const { problems = [] } = (result?.structuredContent ?? {}) as { readonly problems?: readonly unknown[] };
    if (problems.length < copies * yamlBombs().length) throw new Error('not every bomb was listed as a problem');
    return at - client.startedAt;
  });
}
