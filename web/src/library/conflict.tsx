// Another version was made while this one was written: what to do, without losing what was written (L1).
import { authorText } from '../model/library.ts';
import type { LibraryVersion } from '../model/shapes.ts';

interface ConflictProps {
  readonly version: LibraryVersion;
  readonly isSending: boolean;
  /** Once more, made from this version. */
  readonly send: (base: string) => void;
}

export const Conflict = ({ version: { number, author, message, digest }, isSending, send }: ConflictProps) => (
  <div class="notice bad-edge" role="alert">
    <h2>Version {number} was made while you were writing</h2>
    <p class="break">
      {authorText(author)}: {message}. See below what it changes, and take over here what you want to keep of it. Your
      text replaces it.
    </p>
    <button type="button" class="button" disabled={isSending} onClick={() => send(digest)}>
      Save after version {number}
    </button>
  </div>
);
