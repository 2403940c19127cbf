// The way up: to the list that one came from, with the words and filters that it had.
import { listAddress } from '../browser/place-memory.ts';

const LISTS = { skills: 'Skills', activity: 'Activity', runs: 'Runs' } as const;

export const Crumb = ({ to }: { readonly to: keyof typeof LISTS }) => <a href={listAddress(`/${to}`)}>{LISTS[to]}</a>;
