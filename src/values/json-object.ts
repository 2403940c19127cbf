// A JSON object whose fields are not known yet.
export type JsonObject = Readonly<Record<string, unknown>>;
