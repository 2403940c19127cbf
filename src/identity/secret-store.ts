// What is asked of a store that keeps secrets which all processes share (B2). Implemented in store/.

export interface SecretStore {
  /** The one of this name; made by the first who asks. Rejects when the store cannot be reached. */
  getOrAdd(name: string, make: () => string): Promise<string>;
}
