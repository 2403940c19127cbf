// A skill is written: its files as tabs, SKILL.md beside how it reads, a folder taken from the disk; then sent as a version (L1).
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { tellLibraryChanged } from '../api/library-news.ts';
import { pathTo } from '../browser/router.ts';
import { MarkdownView } from '../components/markdown-view.tsx';
import { Failed } from '../components/states.tsx';
import { pathOf, rejectedText } from '../model/library.ts';
import type { LibraryVersion, LibraryVersions, MadeVersion } from '../model/shapes.ts';
import { Conflict } from './conflict.tsx';
import { type EditedFile, FileTools } from './file-tools.tsx';
import { VersionHints } from './version-hints.tsx';

interface SkillEditorProps {
  /** Absent: a new skill, called as its SKILL.md says. */
  readonly name: string | undefined;
  readonly files: readonly EditedFile[];
  /** The newest version when the editor was opened. */
  readonly base: string | undefined;
  /** Names that a new skill cannot have. */
  readonly taken?: readonly string[];
  readonly leave: () => void;
  readonly saved: (name: string) => void;
  /** Another version was made meanwhile. */
  readonly outdated?: () => void;
}

export function SkillEditor({ name, files: given, base, taken = [], leave, saved, outdated }: SkillEditorProps) {
  const [files, setFiles] = useState(given);
  const [shown, setShown] = useState('SKILL.md');
  const [message, setMessage] = useState('');
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [meanwhile, setMeanwhile] = useState<LibraryVersion | undefined>(undefined);
  const [rejected, setRejected] = useState<LibraryVersion | undefined>(undefined);
  const [isSending, setSending] = useState(false);
  const file = files.find(({ path }) => path === shown) ?? files[0];
  const to = name ?? nameIn(files);
  const isTaken = taken.includes(to);
  const change = (path: string, text: string) =>
    setFiles(files.map((each) => (each.path === path ? { path, text, executable: each.executable } : each)));
  const send = async (onto: string | undefined) => {
    setSending(true);
    const body = { files: files.map(sentFile), message, ...(onto !== undefined && { base: onto }) };
    const answer = await ask<MadeVersion>(pathOf(to), { method: 'PUT', body });
    const other = answer.ok || onto === undefined ? undefined : await findOther(to, onto, answer.trouble);
    setSending(false);
    setMeanwhile(other);
    setTrouble(answer.ok || other !== undefined ? undefined : answer.trouble);
    setRejected(answer.ok && answer.value.version.state === 'rejected' ? answer.value.version : undefined);
    if (other !== undefined) outdated?.();
    if (!answer.ok || answer.value.version.state === 'rejected') return;
    tellLibraryChanged();
    saved(to);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isTaken) void send(base);
  };
  return (
    <form class="card" aria-label={name === undefined ? 'New skill' : `Edit ${name}`} onSubmit={submit}>
      <div class="card-body">
        <fieldset class="file-tabs">
          <legend class="unseen">Files</legend>
          {files.map(({ path }) => (
            <button
              key={path}
              type="button"
              class="button little"
              aria-pressed={path === file?.path}
              onClick={() => setShown(path)}
            >
              <span class="break">{path}</span>
            </button>
          ))}
        </fieldset>
        {file !== undefined && <FileEditor key={file.path} file={file} change={change} />}
        {isTaken && <Taken name={to} />}
        <VersionHints name={to} files={files} />
        <FileTools
          files={files}
          shown={file?.path}
          change={(next, path) => {
            setFiles(next);
            setShown(path);
          }}
        />
        <div class="field">
          <label class="field-label" for="version-message">
            What changes, and why
          </label>
          <input
            id="version-message"
            type="text"
            required
            maxLength={2_000}
            value={message}
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </div>
        {trouble !== undefined && <Failed trouble={trouble} />}
        {meanwhile !== undefined && <Conflict version={meanwhile} isSending={isSending} send={send} />}
        {rejected !== undefined && (
          <p role="alert" class="break">
            {rejectedText(rejected)}
          </p>
        )}
        <div class="form-tools">
          <button type="submit" class="button primary" disabled={isSending || isTaken}>
            Save version
          </button>
          <button type="button" class="button" onClick={leave}>
            Cancel
          </button>
        </div>
      </div>
    </form>
  );
}

/** The newest version, where that is why it was refused. */
async function findOther(name: string, base: string, { status }: Trouble): Promise<LibraryVersion | undefined> {
  if (status !== 409) return undefined;
  const answer = await ask<LibraryVersions>(pathOf(name, 'versions'));
  const newest = answer.ok ? answer.value.versions[0] : undefined;
  return newest?.digest === base ? undefined : newest;
}

/** A new skill would become a version of the other one. */
const Taken = ({ name }: { readonly name: string }) => (
  <p class="small break" role="alert">
    <span class="pill bad">taken</span> The library has a skill called {name}.{' '}
    <a href={pathTo('library', name)}>Open it</a> to change it, or choose another name.
  </p>
);

const sentFile = ({ path, text, base64, executable }: EditedFile) => ({
  path,
  executable,
  ...(text === undefined ? { base64 } : { text }),
});

/** As its frontmatter says; what is wrong with it is the server's to say. */
const nameIn = (files: readonly EditedFile[]): string =>
  /^name:[ \t]*["']?([^\r\n"']*)/m.exec(files.find(({ path }) => path === 'SKILL.md')?.text ?? '')?.[1]?.trim() ||
  'skill';

interface FileEditorProps {
  readonly file: EditedFile;
  readonly change: (path: string, text: string) => void;
}

function FileEditor({ file: { path, text }, change }: FileEditorProps) {
  if (text === undefined) return <p class="small">{path} is no text: upload the folder again to replace it.</p>;
  const isMarkdown = /\.md$/i.test(path);
  return (
    <div class={isMarkdown ? 'editor-halves' : ''}>
      <textarea
        class="editor-text"
        aria-label={`Text of ${path}`}
        spellcheck={false}
        value={text}
        onInput={(event) => change(path, event.currentTarget.value)}
      />
      {isMarkdown && (
        <div class="editor-view">
          <MarkdownView text={text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '')} />
        </div>
      )}
    </div>
  );
}
