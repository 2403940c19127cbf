// Which route a request is for: looked up in the contract, so that what is described is what is routed.
import { ROUTES } from './contract/routes.ts';

type Match =
  | { readonly kind: 'route'; readonly id: string; readonly parts: readonly string[] }
  /** The path is known; `allow`: the methods that it has. */
  | { readonly kind: 'wrong method'; readonly allow: string }
  | { readonly kind: 'bad encoding' }
  | { readonly kind: 'unknown' };

export type Router = (method: string, path: string) => Match;

/** `path`: without the query, not decoded. */
export function createRouter(): Router {
  const places = findPlaces();
  const fixed = new Map(places.filter((place) => place.isFixed).map((place) => [place.path, place]));
  const varying = groupByRoom(places.filter((place) => !place.isFixed));
  return (method, path) => {
    const exact = fixed.get(path);
    if (exact !== undefined) return choose(exact, method, []);
    const segments = path.split('/');
    const place = varying.get(roomOf(segments))?.find((each) => fits(each, segments));
    if (place === undefined) return UNKNOWN;
    const parts = decodeParts(place, segments);
    if (parts === undefined) return BAD_ENCODING;
    return parts.includes('') ? UNKNOWN : choose(place, method, parts);
  };
}

const UNKNOWN: Match = { kind: 'unknown' };
const BAD_ENCODING: Match = { kind: 'bad encoding' };

/** A path of the contract and what can be done there. */
interface Place {
  readonly path: string;
  readonly segments: readonly string[];
  readonly isFixed: boolean;
  readonly byMethod: Map<string, string>;
}

/** What all paths with variables begin with: `api/library`. So a path is compared with few others. */
const roomOf = ([, first, second]: readonly string[]): string => `${first}/${second}`;

function groupByRoom(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const rooms = new Map<string, Place[]>();
  for (const place of places) {
    const room = roomOf(place.segments);
    rooms.set(room, [...(rooms.get(room) ?? []), place]);
  }
  return rooms;
}

const isVariable = (segment: string): boolean => segment.startsWith('{');

/** Stands for the rest of the path, however many segments. */
const REST = '{path}';

function findPlaces(): readonly Place[] {
  const places = new Map<string, Place>();
  for (const [id, { path, method }] of ROUTES) {
    const segments = path.split('/');
    const isFixed = !segments.some(isVariable);
    const place = places.get(path) ?? { path, segments, isFixed, byMethod: new Map() };
    place.byMethod.set(method, id);
    if (method === 'GET') place.byMethod.set('HEAD', id);
    places.set(path, place);
  }
  return [...places.values()];
}

function choose({ byMethod }: Place, method: string, parts: readonly string[]): Match {
  const id = byMethod.get(method);
  return id === undefined
    ? { kind: 'wrong method', allow: [...byMethod.keys()].join(', ') }
    : { kind: 'route', id, parts };
}

function fits({ segments }: Place, given: readonly string[]): boolean {
  const takesRest = segments.at(-1) === REST;
  if (takesRest ? given.length < segments.length : given.length !== segments.length) return false;
  return segments.every((segment, index) => segment === given[index] || isVariable(segment));
}

/** `undefined`: not percent-encoded UTF-8. */
function decodeParts({ segments }: Place, given: readonly string[]): readonly string[] | undefined {
  const parts: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (!isVariable(segment)) continue;
    const part = segment === REST ? decodePath(given.slice(index)) : decode(given[index] ?? '');
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

/** An encoded `/` is part of a name, never a border between two: no file has one in its name, so none is found. */
function decodePath(segments: readonly string[]): string | undefined {
  const decoded = segments.map(decode);
  if (decoded.some((segment) => segment === undefined)) return undefined;
  return decoded.map((segment) => segment?.replaceAll('/', '\0')).join('/');
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
