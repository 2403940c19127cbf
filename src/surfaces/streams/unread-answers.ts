// What both HTTP surfaces say about answers that are not read: from which size on they count, and when to come again.

/** Answers up to this size are not counted: connections are, and the system takes most of such an answer at once. */
export const SMALL_ANSWER_BYTES = 65_536;

/** What a file that is sent while it is read holds at a time: the piece that is sent and the next one, of 256 KB each. */
export const OPENED_FILE_BYTES = 2 * 256 * 1024;

/** For an answer that did not fit: by then a reader of the largest file is done, and of one who reads nothing it is no use to ask sooner. */
export const ROOM_RETRY_SECONDS = 5;
