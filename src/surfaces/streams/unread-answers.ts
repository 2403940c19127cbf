// What both HTTP surfaces say about answers that are not read: from which size on they count, and when to come again.

/** Answers up to this size are not counted: connections are, and the system takes most of such an answer at once. */
export const SMALL_ANSWER_BYTES = 65_536;

/** For an answer that did not fit. */
export const ROOM_RETRY_SECONDS = 5;
