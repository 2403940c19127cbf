// The files of a document skill with their digests, and a viewer for those that are text.
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../browser/router.ts';
import type { DocumentFile, SkillDocument } from '../model/shapes.ts';
import { plural, sizeText } from '../text/format.ts';
import { JsonText } from './json-view.tsx';
import { Card } from './page.tsx';

/** Larger ones are downloaded: a page that holds them is slow. */
const MOST_SHOWN = 300_000;

interface FileListProps {
  readonly document: SkillDocument;
  /** The path of the one to show. */
  readonly open: string | undefined;
}

export function FileList({ document, open }: FileListProps) {
  const opened = document.files.find(({ path }) => path === open);
  return (
    <Card title={plural(document.files.length, 'file')}>
      <table class="table rows">
        <thead class="unseen">
          <tr>
            <th scope="col">File</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {document.files.map((file) => (
            <tr key={file.path}>
              <td class="wide">
                <a class="row-link" href={`?file=${encodeURIComponent(file.path)}`}>
                  {file.path}
                </a>
                <div class="mono muted" title={file.digest}>
                  {file.digest.slice(0, 19)}…
                </div>
              </td>
              <td class="number small">{sizeText(file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened !== undefined && <Viewer address={addressOf(document, opened)} file={opened} />}
    </Card>
  );
}

function addressOf({ uri }: SkillDocument, { path }: DocumentFile): string {
  const segments = path.split('/').map(encodeURIComponent).join('/');
  return `/api/documents/${encodeURIComponent(uri)}/files/${segments}`;
}

function Viewer({ address, file }: { readonly address: string; readonly file: DocumentFile }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useText(address, file);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={file.path} onClose={() => setQuery({ file: undefined })}>
      <header>
        <div>
          <h2 class="break">{file.path}</h2>
          <span class="small muted">
            {file.media_type} · {sizeText(file.size)}
          </span>
        </div>
        <span class="pills">
          <a class="button little" href={address} download={file.path.split('/').at(-1)}>
            Download
          </a>
          <button type="button" class="button little" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </span>
      </header>
      <div class="card-body">
        <p class="mono muted break">{file.digest}</p>
        {text === undefined ? <span class="skeleton" /> : <FileText path={file.path} text={text} />}
      </div>
    </dialog>
  );
}

const FileText = ({ path, text }: { readonly path: string; readonly text: string }) =>
  /\.json$/i.test(path) ? <JsonText text={text} label={path} /> : <pre class="code">{text}</pre>;

/** As text, whatever it is: nothing of a file becomes markup here. */
function useText(address: string, { size }: DocumentFile): string | undefined {
  const [text, setText] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (size > MOST_SHOWN) return setText('This file is large. Download it to read it.');
    const leaving = new AbortController();
    readText(address, leaving.signal).then(setText, () => setText('This file could not be read. Try again.'));
    return () => leaving.abort();
  }, [address, size]);
  return text;
}

async function readText(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { credentials: 'same-origin', signal });
  if (!response.ok) return `The server answered ${response.status}.`;
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'This file is not text. Download it to look at it.';
  }
}
