// Files of a skill that is written: one more, one less, or all of a folder of the disk.
import { useState } from 'preact/hooks';
import { plural } from '../text/format.ts';

export interface EditedFile {
  readonly path: string;
  readonly text?: string;
  readonly base64?: string;
  readonly executable: boolean;
}

interface FileToolsProps {
  readonly files: readonly EditedFile[];
  readonly shown: string | undefined;
  readonly change: (files: readonly EditedFile[], shown: string) => void;
}

export function FileTools({ files, shown, change }: FileToolsProps) {
  const [path, setPath] = useState('');
  const file = files.find((each) => each.path === shown);
  const add = () => {
    const named = path.trim();
    if (named === '') return;
    const isThere = files.some((file) => file.path === named);
    change(isThere ? files : [...files, { path: named, text: '', executable: false }], named);
    setPath('');
  };
  const upload = async (list: FileList | null) => {
    const executable = new Set(files.filter((file) => file.executable).map((file) => file.path));
    const read = await Promise.all([...(list ?? [])].filter(isOfSkill).map(readUploaded));
    // A browser does not tell which files are executable: those that were stay so.
    if (read.length > 0)
      change(
        read.map((file) => ({ ...file, executable: executable.has(file.path) })),
        'SKILL.md',
      );
  };
  return (
    <div class="file-tools">
      <div class="file-add">
        <label class="unseen" for="new-path">
          Path of a new file
        </label>
        <input
          id="new-path"
          type="text"
          placeholder="Another file, such as references/details.md"
          value={path}
          onInput={(event) => setPath(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It adds the file, and does not send the form.
            event.preventDefault();
            add();
          }}
        />
        <button type="button" class="button" onClick={add}>
          Add file
        </button>
      </div>
      <div class="form-tools">
        <label class="button little upload">
          Upload a folder
          <input
            type="file"
            class="unseen"
            multiple
            {...{ webkitdirectory: true }}
            onChange={(event) => upload(event.currentTarget.files)}
          />
        </label>
        <span class="small">It replaces what is here: {plural(files.length, 'file')}.</span>
        {file !== undefined && file.path !== 'SKILL.md' && (
          <label class="check small">
            <input
              type="checkbox"
              checked={file.executable}
              onChange={(event) => {
                const executable = event.currentTarget.checked;
                change(
                  files.map((each) => (each === file ? { ...file, executable } : each)),
                  file.path,
                );
              }}
            />{' '}
            Executable
          </label>
        )}
        {shown !== undefined && shown !== 'SKILL.md' && (
          <button
            type="button"
            class="button little"
            onClick={() =>
              change(
                files.filter((file) => file.path !== shown),
                'SKILL.md',
              )
            }
          >
            Remove {shown}
          </button>
        )}
      </div>
    </div>
  );
}

/** As `publish` has it: what git keeps beside a skill is none of its files. */
const isOfSkill = ({ webkitRelativePath }: File): boolean => !webkitRelativePath.split('/').includes('.git');

/** Below the folder that was chosen. */
async function readUploaded(file: File): Promise<EditedFile> {
  const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name;
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), executable: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // It is not UTF-8.
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { path, base64: btoa(binary), executable: false };
  }
}
