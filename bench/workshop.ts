// The one temporary folder of a run: the corpora, and an empty home for every process that is started.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Corpus, writeCorpus } from './corpus.ts';

/** Where a process runs: nothing of the developer's own skills or settings is in sight. */
export interface Box {
  readonly path: string;
  readonly home: string;
  readonly workingDirectory: string;
}

export interface Root {
  readonly path: string;
  /** The skills' names, in the order of their making. */
  readonly names: readonly string[];
}

export class Workshop {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-bench-')));
  readonly #roots = new Map<string, Root>();
  #boxes = 0;

  /** Written at the first asking, the same folder ever after. */
  root(corpus: Corpus): Root {
    const known = this.#roots.get(corpus.label);
    if (known !== undefined) return known;
    const path = this.folder(corpus.label.replace(/\W+/g, '-'));
    const root = { path, names: writeCorpus(path, corpus) };
    this.#roots.set(corpus.label, root);
    return root;
  }

  folder(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  createBox(): Box {
    this.#boxes += 1;
    const path = `box-${this.#boxes}`;
    return {
      path: this.folder(path),
      home: this.folder(`${path}/home`),
      workingDirectory: this.folder(`${path}/work`),
    };
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
