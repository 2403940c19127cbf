// What the steps of the guard share: a request on its way, what they may ask, and what one of them decides.
import type { Socket } from 'node:net';
import type { Authenticate, SignIn } from '../../../identity/authentication.ts';
import type { Caller } from '../../../identity/caller.ts';
import type { RequestTrace } from '../../../values/trace.ts';
import type { AdmittedRequest, CallerLimits } from '../message/admitted-request.ts';
import type { FindClientAddress } from './client-address.ts';
import type { FoundCredentials, ReadCredentials } from './credentials.ts';
import type { GuardedResponse } from './guarded-response.ts';
import type { HostCheck } from './host-header.ts';
import type { LargeBodies } from './large-bodies.ts';
import type { OAuthDoor } from './oauth-door.ts';
import type { FindPublicRoute } from './public-routes.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Refusal } from './refusals.ts';
import type { BodyBudget } from './request-body.ts';

/** Where an admitted request ends up. */
export interface Endpoint {
  readonly handle: (admitted: AdmittedRequest) => void | Promise<void>;
}

export interface ApiEndpoint extends Endpoint {
  /** Absent: it is none of its paths. */
  readonly methodsOf?: (path: string) => string | undefined;
}

export interface GuardParts {
  readonly findClientAddress: FindClientAddress;
  readonly hosts: HostCheck;
  readonly readCredentials: ReadCredentials;
  readonly authenticate: Authenticate;
  /** With email and password, for a session. */
  readonly signIn: SignIn;
  readonly rate: RateLimit;
  readonly limits: CallerLimits;
  /** They leave more of their answers unread than is theirs. */
  readonly hasUnread: (caller: Caller) => boolean;
  readonly bodies: BodyBudget;
  readonly largeBodies: LargeBodies;
  readonly findPublicRoute: FindPublicRoute;
  /** Absent: no client is let in by OAuth. */
  readonly oauth: OAuthDoor | undefined;
  readonly mcp: Endpoint;
  readonly api: ApiEndpoint;
  readonly maxBodyBytes: number;
  /** Anybody may read the index of shared skills (S6). */
  readonly hasPublicIndex: boolean;
  /** How long looking up a caller may take. */
  readonly lookupMs: number;
  /** The caller on this connection is known. False: they have too many connections. */
  readonly onProven: (socket: Socket, caller: Caller) => boolean;
  /** Someone unknown was refused on it. True: that happened so often that it ends with this. */
  readonly isWornOut: (socket: Socket) => boolean;
  readonly onRefused: (received: ReceivedRequest, refusal: Refusal) => void;
  /** Something of ours threw. */
  readonly onFault: (received: ReceivedRequest, fault: unknown) => void;
  /** Sees every request when it has come; absent where no telemetry is sent. */
  readonly observe: ObserveRequest | undefined;
}

export type ObserveRequest = (received: ReceivedRequest) => RequestTrace;

/** A request on its way, and what the steps have found out about it. */
export interface GuardedRequest {
  readonly received: ReceivedRequest;
  credentials: FoundCredentials | undefined;
  /** What came instead of a credential, to open a session with. */
  password: Parameters<SignIn>[0] | undefined;
  caller: Caller;
  /** Absent: it has not been read. */
  body: string | undefined;
  readonly trace: RequestTrace | undefined;
}

/** What a step decided. `taken`: it is being answered; no further step sees it. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export const PASS: Verdict = { kind: 'pass' };
export const TAKEN: Verdict = { kind: 'taken' };
export const refuse = (refusal: Refusal): Verdict => ({ kind: 'refused', refusal });
export const refuseIf = (refusal: Refusal | undefined): Verdict => (refusal === undefined ? PASS : refuse(refusal));

export type Step = (guarded: GuardedRequest, parts: GuardParts) => Verdict | Promise<Verdict>;

/** Aborted when the client goes away. */
export function closingSignal(response: GuardedResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  return leaving.signal;
}
