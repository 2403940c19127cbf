// Measures how many bytes tools/list takes: every host pays for them in every conversation.
import { type Measure, withServer } from '../measure.ts';
import type { Row } from '../row.ts';

export const measureToolList: Measure = async ({ workshop, corpora, progress }) => {
  const rows: Row[] = [];
  for (const corpus of corpora.filter(({ needsYaml }) => !needsYaml)) {
    progress(`list: ${corpus.label}`);
    const kilobytes = await withServer(workshop, workshop.root(corpus).path, async (client) => {
      await client.greet();
      const { bytes, result } = await client.request('tools/list');
      if (result === undefined) throw new Error('tools/list was answered with an error');
      return bytes / 1024;
    });
    rows.push({ section: 'list', what: corpus.label, unit: 'KB', samples: [kilobytes], floorSamples: [] });
  }
  return rows;
};
