// What the built-in skills need of the operator's own things: who owns them.

/** By the type of a thing: whether this user owns the one with this id. An id that is not known has no owner. */
export type Ownership = Readonly<Record<string, (userId: string, resourceId: string) => boolean | Promise<boolean>>>;
