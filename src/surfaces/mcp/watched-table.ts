// The table as it is served over HTTP: the same answers, and who asked is noted for those who wait for a client.
import type { Caller } from '../../identity/caller.ts';
import type { ClientInfo } from '../../identity/client-info.ts';
import type { Method, MethodResult, MethodTable } from './wire/method.ts';

export interface ClientNotes {
  noteRequest(caller: Caller, client: ClientInfo): void;
  noteTools(caller: Caller, client: ClientInfo, count: number): void;
}

export function watchTable(table: MethodTable, notes: ClientNotes): MethodTable {
  const methods = watchedAll(table.methods, notes);
  const listTools = table.methods.get('tools/list');
  if (listTools !== undefined) methods.set('tools/list', watchedList(listTools, notes));
  const modern = table.modern && { ...table.modern, methods: watchedAll(table.modern.methods, notes) };
  return { ...table, methods, modern };
}

const watchedAll = (methods: ReadonlyMap<string, Method>, notes: ClientNotes): Map<string, Method> =>
  new Map([...methods].map(([name, method]) => [name, watched(method, notes)]));

const watched =
  (method: Method, notes: ClientNotes): Method =>
  (params, context) => {
    if (context.caller !== undefined) notes.noteRequest(context.caller, context.client);
    return method(params, context);
  };

const watchedList =
  (method: Method, notes: ClientNotes): Method =>
  (params, context) => {
    const noted = (result: MethodResult): MethodResult => {
      const count = toolsIn(result);
      if (context.caller !== undefined && count !== undefined) notes.noteTools(context.caller, context.client, count);
      return result;
    };
    const result = method(params, context);
    return result instanceof Promise ? result.then(noted) : noted(result);
  };

const toolsIn = (result: MethodResult): number | undefined =>
  result.ok && 'tools' in result.value && Array.isArray(result.value.tools) ? result.value.tools.length : undefined;
