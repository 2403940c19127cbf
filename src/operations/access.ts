// Who may ask an operation, as data, and the one place that looks at it (H5); and who may see paths of this machine.
import { basename, isAbsolute } from 'node:path';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { type Caller, rightsKey, type Scope } from '../identity/caller.ts';

export interface OperationAccess {
  /** `anyone`: without a credential. `caller`: with any valid one. `operator`: the operator, and who has `scope`. */
  readonly who: 'anyone' | 'caller' | 'operator';
  readonly scope?: Scope;
  /** Either of the two will do. */
  readonly orScope?: Scope;
  /** `everyone`: all callers get the same. `permitted`: each what they may see or invoke. */
  readonly about: 'everyone' | 'permitted';
}

export const ANYONE: OperationAccess = { who: 'anyone', about: 'everyone' };
export const ANY_CALLER: OperationAccess = { who: 'caller', about: 'everyone' };
export const ANY_INVOKER: OperationAccess = { who: 'caller', about: 'permitted' };
export const LOG_READERS: OperationAccess = { who: 'operator', scope: 'log:read', about: 'everyone' };
export const TRAIL_READERS: OperationAccess = { who: 'operator', scope: 'skills:approve', about: 'everyone' };
export const RUN_APPROVERS: OperationAccess = { who: 'operator', scope: 'runs:approve', about: 'everyone' };
/** Of the library: who makes versions, who decides on them, and both (L2). */
export const PROPOSERS: OperationAccess = { who: 'operator', scope: 'skills:propose', about: 'everyone' };
export const APPROVERS: OperationAccess = { who: 'operator', scope: 'skills:approve', about: 'everyone' };
export const LIBRARY_READERS: OperationAccess = { ...PROPOSERS, orScope: 'skills:approve' };
export const OPERATOR_ONLY: OperationAccess = { who: 'operator', about: 'everyone' };

/** Why this caller may not ask, as the end of "Access denied: …"; `undefined` when they may. */
export function findAccessFault(access: OperationAccess, { kind, scopes }: Caller): string | undefined {
  const { who, scope, orScope } = access;
  if (who !== 'operator' || kind === 'operator') return undefined;
  if (scope === undefined) return 'this needs the operator';
  if (scopes.includes(scope) || (orScope !== undefined && scopes.includes(orScope))) return undefined;
  const either = orScope === undefined ? scope : `${scope} or ${orScope}`;
  return `this needs the operator, or a caller with the scope ${either}`;
}

/** A kept answer is for callers with the same key: who may see paths, and for `permitted` who may see the same skills. */
export function viewKey({ about }: OperationAccess, caller: Caller, hidesPaths: boolean): string {
  return about === 'everyone' ? String(hidesPaths) : `${hidesPaths} ${rightsKey(caller)}`;
}

/** Makes a text fit for callers who may not see paths: roots by their last folder (THREATS: leaky errors). */
export type HidePaths = (text: string) => string;

const SHOW_ALL: HidePaths = (text) => text;

/** Only the operator, on this machine: the person behind an agent or a user may be elsewhere. */
export const maySeePaths = ({ caller, remote }: { readonly caller: Caller; readonly remote: boolean }): boolean =>
  caller.kind === 'operator' && !remote;

/** A root that was given as a path is shown by its last folder; `./…` and `~/…` say nothing about the machine. */
export function hidePathsFor(isHidden: boolean, snapshot: Snapshot): HidePaths {
  if (!isHidden) return SHOW_ALL;
  const hide = known.get(snapshot) ?? createHidePaths(findRootPaths(snapshot));
  known.set(snapshot, hide);
  return hide;
}

const known = new WeakMap<Snapshot, HidePaths>();

/** Whole paths only: where `/data` is a root, `/database`, `/data-2` and `x/data` are something else. */
function createHidePaths(paths: readonly string[]): HidePaths {
  if (paths.length === 0) return SHOW_ALL;
  const any = paths.map((path) => path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_.~-])(?:${any})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replace(whole, (path) => basename(path));
}

/** Longest first: one root may lie inside another. */
function findRootPaths({ skills, problems }: Snapshot): readonly string[] {
  const paths = new Set<string>();
  for (const { source } of skills) paths.add(source);
  for (const { source, rootPath } of problems) paths.add(source).add(rootPath);
  const told = [...paths].filter(tellsOfMachine).map((path) => path.replace(/[\\/]+$/, ''));
  return told.filter((path) => path !== '').sort((a, b) => b.length - a.length);
}

/** Also one that leads up, and names folders beside the one that the server was started in: `../clients/acme`. */
const tellsOfMachine = (path: string): boolean => isAbsolute(path) || path.split(/[\\/]/).includes('..');
