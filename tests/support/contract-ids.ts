// Every id of the contracts and of the reliability promises, and when tests have to cite it. `now`: it is a failure not to.

export type Due =
  | 'now'
  | 'resources'
  | 'typed skills'
  | 'built-ins'
  | 'http'
  | 'library'
  | 'command line'
  | 'reliability';

export const contractIds = {
  D1: 'now',
  D2: 'now',
  D3: 'now',
  D4: 'now',
  D5: 'now',
  D6: 'now',
  D7: 'now',
  D8: 'now',
  // The log of loads needs the store, which comes with typed skills.
  D9: 'typed skills',
  // What a host shows twice is only seen where prompts and resources exist.
  D10: 'resources',
  T1: 'now',
  T2: 'now',
  T3: 'now',
  T4: 'now',
  T5: 'now',
  T6: 'now',
  T7: 'now',
  // Its annotations are tested already; its UI metadata needs the UI resource.
  T8: 'resources',
  T9: 'now',
  T10: 'library',
  T11: 'library',
  T12: 'now',
  T13: 'resources',
  R1: 'resources',
  R2: 'resources',
  X1: 'typed skills',
  X2: 'typed skills',
  X3: 'typed skills',
  X4: 'typed skills',
  X5: 'typed skills',
  X6: 'typed skills',
  X7: 'typed skills',
  X8: 'typed skills',
  X9: 'typed skills',
  B1: 'built-ins',
  B2: 'built-ins',
  B3: 'built-ins',
  B4: 'built-ins',
  B5: 'built-ins',
  B6: 'built-ins',
  H1: 'http',
  H2: 'http',
  H3: 'http',
  H4: 'http',
  H5: 'http',
  H6: 'http',
  C: 'command line',
  F1: 'reliability',
  F2: 'reliability',
  F3: 'reliability',
  F4: 'reliability',
  F5: 'reliability',
  F6: 'reliability',
  F7: 'reliability',
  F8: 'reliability',
  F9: 'reliability',
  F10: 'reliability',
  F11: 'reliability',
  F12: 'reliability',
  F13: 'reliability',
  F14: 'reliability',
  F15: 'reliability',
} as const satisfies Record<string, Due>;

export type ContractId = keyof typeof contractIds;
