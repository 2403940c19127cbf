// An operation as a route: what its fields are called in an address, and where each of them stands.
import type { HttpFace, Operation } from '../../../operations/operation.ts';
import { type Fields, record, type Shape } from '../../../operations/shape.ts';
import { type FailureStatus, jsonAnswer, type Route, route } from './route.ts';

export type WithRoute<Ports> = Operation<Ports> & { readonly http: HttpFace<unknown> };

export const hasRoute = <Ports>(operation: Operation<Ports>): operation is WithRoute<Ports> =>
  operation.http !== undefined;

/** Whether its fields come in a body. */
export const takesBody = ({ method }: Pick<HttpFace<unknown>, 'method'>): boolean =>
  method === 'POST' || method === 'PUT';

/** What a field is called in the query. */
export const queryName = ({ aliases }: HttpFace<unknown>, field: string): string => aliases?.[field] ?? field;

export function routeOf<Ports>({ access, summary, input, output, http }: WithRoute<Ports>): Route {
  const inPath = pathNames(http.path);
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const hasBody = takesBody(http);
  const failures: readonly FailureStatus[] = [400, ...(hasBody ? ([413, 415] as const) : []), ...(http.failures ?? [])];
  return route<Fields>({
    method: http.method,
    path: http.path,
    tag: http.tag,
    summary,
    access,
    pathParameters: Object.fromEntries(inPath.map((name) => [name, descriptionOf(input[name])])),
    query: hasBody ? {} : Object.fromEntries(others.map(([name, shape]) => [queryName(http, name), shape])),
    ...(http.headers && { headers: http.headers }),
    body: hasBody ? bodyOf(http, Object.fromEntries(others)) : undefined,
    answers: {
      [http.status ?? 200]: jsonAnswer(http.answer, http.output ?? output),
      ...Object.fromEntries(
        Object.entries(http.otherAnswers ?? {}).map(([status, each]) => [status, jsonAnswer(each.answer, each.output)]),
      ),
    },
    failures,
    failureShape: http.failureOutput,
  });
}

/** Fields that the path names, in its order. */
export const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const descriptionOf = (shape: Shape | undefined): string => String(shape?.schema.description ?? '');

function bodyOf({ body, bodyName, bodyAbout = '' }: HttpFace<unknown>, fields: Fields): Route['body'] {
  const whole = body === undefined ? undefined : fields[body];
  if (whole !== undefined) return { description: descriptionOf(whole), shape: whole };
  const shape = record(fields);
  return { description: bodyAbout, shape: bodyName === undefined ? shape : shape.named(bodyName) };
}
