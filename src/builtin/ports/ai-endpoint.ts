// The endpoint that the operator configured for the skills that ask a language model (B3).

export interface AiEndpoint {
  /** Of an OpenAI-compatible API, with its `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** A server on the same machine may want none. */
  readonly key: string | undefined;
}
