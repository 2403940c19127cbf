// What is wrong with a skill while it is written: asked of the server when its author pauses (L7).
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { SeverityPill } from '../components/pills.tsx';
import { pathOf } from '../model/library.ts';
import type { VersionCheck } from '../model/shapes.ts';
import type { EditedFile } from './file-tools.tsx';

/** As long as one who types does not pause. */
const PAUSE_MS = 400;
/** A request may have a megabyte; quotes and line ends take more than they are. */
const MOST_CHARACTERS = 400_000;

type Checked = VersionCheck | 'unknown' | undefined;

/** `undefined`: not asked yet. */
function useHints(name: string, files: readonly EditedFile[]): Checked {
  const [checked, setChecked] = useState<Checked>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const body = { files: askedAbout(files) };
      const answer = await ask<VersionCheck>(pathOf(name, 'check'), { method: 'POST', body, signal: stop.signal });
      if (!stop.signal.aborted) setChecked(answer.ok ? answer.value : 'unknown');
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, files]);
  return checked;
}

/** Texts, its SKILL.md first, as far as they fit into one request. */
function askedAbout(files: readonly EditedFile[]) {
  let room = MOST_CHARACTERS;
  const texts = files.flatMap(({ path, text, executable }) => (text === undefined ? [] : [{ path, text, executable }]));
  return texts
    .sort((a, b) => Number(b.path === 'SKILL.md') - Number(a.path === 'SKILL.md'))
    .filter(({ text }) => {
      room -= text.length;
      return room >= 0;
    });
}

interface VersionHintsProps {
  readonly name: string;
  readonly files: readonly EditedFile[];
}

export function VersionHints({ name, files }: VersionHintsProps) {
  const checked = useHints(name, files);
  return (
    <div class="hints" role="status">
      {checked === 'unknown' && <p class="small">It cannot be checked now. It is checked again when you save it.</p>}
      {checked !== undefined && checked !== 'unknown' && <Hints checked={checked} />}
    </div>
  );
}

function Hints({ checked: { faults, issues, findings } }: { readonly checked: VersionCheck }) {
  if (faults.length + issues.length + findings.length === 0) return <p class="small">No rule is broken.</p>;
  return (
    <ul class="finding-list small" aria-label="What the rules say">
      {faults.map((fault) => (
        <li key={fault} class="break">
          <span class="pill bad">refused</span> {fault}
        </li>
      ))}
      {findings.map(({ path, line, rule, severity, message, excerpt }) => (
        <li key={`${path} ${line} ${rule} ${message}`} class="break">
          <SeverityPill severity={severity} /> <code class="break">{`${path}:${line}`}</code> {message}{' '}
          <code class="break">{excerpt}</code>
        </li>
      ))}
      {issues.map(({ rule, severity, message, fix }) => (
        <li key={`${rule} ${message}`} class="break">
          <span class={severity === 'advice' ? 'pill info' : 'pill warn'}>{severity}</span> {message}. {fix}.
        </li>
      ))}
    </ul>
  );
}
