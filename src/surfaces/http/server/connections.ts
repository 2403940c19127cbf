// The connections of the server: which ones have proved who they are, which do not take their answers, which are busy.
import type { Socket } from 'node:net';
import { createQuota, type Quota } from '../../../async/quota.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import type { GuardedResponse } from './guarded-response.ts';
import { takenBytes } from './taken-bytes.ts';

interface ConnectionLimits {
  /** Connections without a known caller; beyond it the oldest of them is closed. */
  readonly unproven: number;
  /** Of all together; one caller may hold half of them. */
  readonly connections: number;
  /** An answer of which nothing is taken for this long ends its connection. */
  readonly stallMs: number;
}

export interface Connections {
  readonly size: number;
  readonly add: (socket: Socket) => void;
  /**
   * A request has come whose answer this will be: it is handled when those before it on this connection were taken, so
   * that whoever asks on and on without reading has one answer waiting, not hundreds (F10).
   */
  readonly inTurn: (socket: Socket, response: GuardedResponse, handle: () => void) => void;
  /** The caller on it is known. False: they hold half of all connections already. */
  readonly prove: (socket: Socket, caller: Caller) => boolean;
  /** Someone unknown was refused on it. True: so often that this is to be its last answer. */
  readonly noteRefused: (socket: Socket) => boolean;
  /** The answer under way, if there is one. */
  readonly findAnswer: (socket: Socket) => GuardedResponse | undefined;
  /** Ends connections whose answers are not taken. To be called often within `stallMs`: that is how late it may be. */
  readonly sweep: () => void;
  readonly closeQuiet: () => void;
  readonly closeAll: () => void;
}

interface Connection {
  /** Of the request that is being handled. */
  response: GuardedResponse | undefined;
  /** Of the last request that came. */
  last: GuardedResponse | undefined;
  /** What had been taken, and since when nothing more was, while something waits. */
  waiting: { readonly taken: number; readonly sinceMs: number } | undefined;
  /** Who proved to be calling, last. */
  caller: Caller | undefined;
  /** How often someone unknown was refused, since one was known. */
  refused: number;
}

/** A client with a wrong token tries a few times; further attempts cost it a connection each. */
const MOST_REFUSED = 16;

interface ConnectionParts extends ConnectionLimits {
  readonly monotonicMs: () => number;
}

export function createConnections(parts: ConnectionParts): Connections {
  const { unproven: maxUnproven, stallMs, connections, monotonicMs } = parts;
  const all = new Map<Socket, Connection>();
  const unproven = createUnproven(maxUnproven);
  const owners = createQuota();
  const mostOwned = Math.floor(connections / 2);
  const forget = (socket: Socket) => {
    const caller = all.get(socket)?.caller;
    if (caller !== undefined) owners.give(callerKey(caller));
    all.delete(socket);
    unproven.delete(socket);
  };
  const findAnswer = (socket: Socket) => runningAnswer(all.get(socket));
  return {
    get size() {
      return all.size;
    },
    add: (socket) => {
      all.set(socket, {
        response: undefined,
        last: undefined,
        waiting: undefined,
        caller: undefined,
        refused: 0,
      });
      socket.once('close', () => forget(socket));
      unproven.add(socket);
    },
    inTurn: (socket, response, handle) => {
      const connection = all.get(socket);
      if (connection !== undefined) takeTurn(connection, socket, response, handle);
    },
    prove: (socket, caller) => {
      unproven.delete(socket);
      const connection = all.get(socket);
      if (connection !== undefined) connection.refused = 0;
      return connection === undefined || changeOwner(connection, caller, owners, mostOwned);
    },
    noteRefused: (socket) => {
      const connection = all.get(socket);
      if (connection === undefined) return true;
      connection.refused += 1;
      return connection.refused >= MOST_REFUSED;
    },
    findAnswer,
    sweep: () => {
      const nowMs = monotonicMs();
      for (const [socket, connection] of all) watchStall(socket, connection, stallMs, nowMs);
    },
    closeQuiet: () => destroyEach([...all.keys()].filter((socket) => findAnswer(socket) === undefined)),
    closeAll: () => destroyEach([...all.keys()]),
  };
}

function takeTurn(connection: Connection, socket: Socket, response: GuardedResponse, handle: () => void): void {
  const before = connection.last;
  connection.last = response;
  const begin = () => {
    // The answer before was the last one on this connection.
    if (before?.endsConnection === true || socket.writableEnded || socket.destroyed) return;
    connection.response = response;
    handle();
  };
  if (before === undefined || before.writableFinished) begin();
  else before.once('finish', begin);
}

function destroyEach(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** Senders who never finish compete with one another, not with those who are known. */
function createUnproven(most: number) {
  const sockets = new Set<Socket>();
  return {
    add: (socket: Socket): void => {
      const [oldest] = sockets.add(socket);
      if (sockets.size > most) oldest?.destroy();
    },
    delete: (socket: Socket): void => void sockets.delete(socket),
  };
}

/** False: the new one holds half of all connections already, and nothing has changed. */
function changeOwner(connection: Connection, caller: Caller, owners: Quota, most: number): boolean {
  // A caller that was known a moment ago is the same object: nothing to compare.
  if (connection.caller === caller) return true;
  const before = connection.caller && callerKey(connection.caller);
  const now = callerKey(caller);
  if (before !== now) {
    if (!owners.take({ key: now, most })) return false;
    if (before !== undefined) owners.give(before);
  }
  connection.caller = caller;
  return true;
}

const runningAnswer = (connection: Connection | undefined): GuardedResponse | undefined =>
  connection?.response === undefined || connection.response.writableFinished ? undefined : connection.response;

/**
 * By a look of our own: a timer of the socket begins anew with whatever was taken since it was set, and an answer would wait
 * for two of them. A slow reader who takes a little now and then is left in peace.
 */
function watchStall(socket: Socket, connection: Connection, stallMs: number, nowMs: number): void {
  if (socket.writableLength === 0) {
    connection.waiting = undefined;
    return;
  }
  const taken = takenBytes(socket);
  if (connection.waiting?.taken !== taken) connection.waiting = { taken, sinceMs: nowMs };
  else if (nowMs - connection.waiting.sinceMs >= stallMs) socket.destroy();
}
