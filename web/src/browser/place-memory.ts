// Where one was on a page: kept with the entry of the history, and taken up again once the page is long enough.

interface Kept {
  readonly top: number;
  /** The address of the row that was opened. */
  readonly row: string | undefined;
  /** How many documents were shown; so many are asked for at once. */
  readonly count: number | undefined;
}

/** Before another page takes the place of this one. `link`: what was followed. */
export function keepPlace(link?: Element): void {
  const row = link?.matches('.row-link') ? (link.getAttribute('href') ?? undefined) : undefined;
  write({ top: scrollY, row, count: keptPlace()?.count });
}

export function keepCount(count: number): void {
  const { top = 0, row } = keptPlace() ?? {};
  write({ top, row, count });
}

const write = (kept: Kept): void => history.replaceState({ kept }, '');

/** Of the entry that is shown now. */
export function keptPlace(): Kept | undefined {
  const state = history.state as { readonly kept?: Kept } | null;
  return state?.kept;
}

/** What is not there by then does not come; the reader has begun to read. */
const PATIENCE_MS = 3_000;

/** Scrolls back to where one was, and gives the focus to the row that one came from. A reader who acts is left alone. */
export function takePlaceAgain(): void {
  const kept = keptPlace();
  scrollTo(0, 0);
  if (kept === undefined) return;
  const acting = new AbortController();
  for (const sign of ['wheel', 'keydown', 'pointerdown'])
    addEventListener(sign, () => acting.abort(), { signal: acting.signal });
  const until = performance.now() + PATIENCE_MS;
  const look = () => {
    if (acting.signal.aborted) return;
    if (isLongEnough(kept) || performance.now() > until) {
      acting.abort();
      goBackTo(kept);
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const isLongEnough = (kept: Kept): boolean =>
  document.documentElement.scrollHeight - innerHeight >= kept.top &&
  (kept.row === undefined || findRow(kept.row) !== undefined);

function goBackTo({ top, row }: Kept): void {
  if (row !== undefined) findRow(row)?.focus({ preventScroll: true });
  scrollTo(0, top);
}

const findRow = (address: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('.row-link')].find((row) => row.getAttribute('href') === address);

/** The newest address of a list, filters included: the way up from one of its entries. */
const lists = new Map<string, string>();

export const keepList = (path: string, search: string): void => void lists.set(path, path + search);

export const listAddress = (path: string): string => lists.get(path) ?? path;
