// What one may do with the library, and versions in words. Pure.
import type { LibraryVersion, Me } from './shapes.ts';

export const mayPropose = ({ is_operator, scopes }: Me): boolean => is_operator || scopes.includes('skills:propose');

export const mayApprove = ({ is_operator, scopes }: Me): boolean => is_operator || scopes.includes('skills:approve');

export const maySeeLibrary = (me: Me): boolean => mayPropose(me) || mayApprove(me);

const SHOWN_DIGITS = 12;

export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, SHOWN_DIGITS);

export const authorText = (author: string): string =>
  author === 'local' ? 'the operator' : author.replace(/^user:/, '').replace(/^agent:/, 'agent ');

/** Through any client. */
export function isAuthor({ author }: Pick<LibraryVersion, 'author'>, { kind, name, email }: Me): boolean {
  const own = kind === 'operator' ? 'local' : `${kind}:${email ?? name}`;
  return author === own || (kind === 'user' && author.startsWith(`${own} via `));
}

/** What one should know of the newest version before one changes it; absent where it is what is served. */
export function startText(newest: LibraryVersion, current: LibraryVersion | undefined): string | undefined {
  if (newest.current) return undefined;
  const why = newest.decision?.message ?? '';
  const state = {
    proposed: 'It waits for review.',
    approved: 'It is not served.',
    rejected: why === '' ? 'It was rejected.' : `It was rejected: ${why}`,
  }[newest.state];
  const served = current === undefined ? '' : ` Served is version ${current.number}.`;
  return `You change version ${newest.number}, the newest. ${state}${served}`;
}

/** Sent once more, the same files stay what they were. */
export function rejectedText({ number, decision }: LibraryVersion): string {
  const why = decision === null || decision.message === '' ? '' : `: ${decision.message}`;
  return `These files are version ${number}, which was rejected${why}. Change them, or ask an approver to delete that version first.`;
}

export const pathOf = (name: string, ...more: readonly string[]): string =>
  ['/api/library', encodeURIComponent(name), ...more.map(encodeURIComponent)].join('/');
