// Where customers are looked up. A stand-in: a real one would ask a database.

interface Customer {
  readonly name: string;
  readonly taxPercent: number;
}

export interface Customers {
  find(id: string, signal: AbortSignal): Promise<Customer | undefined>;
}

const BOOK: ReadonlyMap<string, Customer> = new Map([
  ['C-1001', { name: 'Harbour Bakery', taxPercent: 20 }],
  ['C-1002', { name: 'Northern Library', taxPercent: 0 }],
]);

export const customerBook: Customers = { find: async (id) => BOOK.get(id) };
