// The library's entry for programs that keep a log themselves, `repertoire/store`: every public name, listed by hand.

export { openStore, type Store, type StoreOptions } from './app/program-store.ts';
