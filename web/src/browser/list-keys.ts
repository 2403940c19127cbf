// Lists by keyboard: `/` goes to the search, arrows move between rows, Enter opens (it is a link), Escape leaves.
import { useEffect } from 'preact/hooks';

const ROWS = '.row-link';
/** The field that narrows the list. */
const SEARCH = 'input[type=search], input[data-search]';

export function useListKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  const { target } = event;
  if (!(target instanceof HTMLElement) || document.querySelector('dialog[open]') !== null) return;
  if (event.key === '/' && !isWriting(target)) focusSearch(event);
  else if (event.key === 'Escape' && isSearch(target)) target.blur();
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, target);
}

const isSearch = (target: HTMLElement): boolean => target.matches('input[type=search]');

const isWriting = (target: HTMLElement): boolean => target.matches('input, textarea, select, [contenteditable]');

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>(SEARCH);
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

function moveFocus(event: KeyboardEvent, target: HTMLElement): void {
  const isRow = target.matches(ROWS);
  if (!isRow && !isSearch(target) && target !== document.body) return;
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const here = rows.indexOf(target);
  const next = rows[here + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined && !(isRow && here === 0)) return;
  event.preventDefault();
  if (next === undefined) document.querySelector<HTMLInputElement>(SEARCH)?.focus();
  else next.focus();
}
