// What of a server's own stands in the way of skills: found before anything is registered (T10).
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { type BoundSkills, EXTENSION_METHODS } from './sdk-handlers.ts';
import { HANDLER_GROUPS, type PrivateFields, type SdkServer } from './sdk-server.ts';

/** Throws one sentence that names every clash and how to fix it. */
export function refuseClashes(server: SdkServer, skills: BoundSkills): void {
  if (server.mcp.isConnected()) {
    throw new Error('Cannot add skills: the server is already connected; call registerSkills before server.connect()');
  }
  const { fields } = server;
  const clashes = [
    ...takenMethods(fields, skills),
    ...takenTools(fields, skills),
    ...takenResources(fields, skills),
    ...(skills.prompts ? takenPrompts(fields, skills) : []),
  ];
  if (clashes.length > 0) throw new Error(`Cannot add skills: ${clashes.join('; ')}`);
}

function takenMethods(fields: PrivateFields, { prompts }: BoundSkills): string[] {
  const handlers = fields.server._requestHandlers;
  const own = EXTENSION_METHODS.filter((method) => handlers.has(method)).map(
    (method) => `the method ${method} is already handled; add skills once, or remove that handler`,
  );
  const groups = HANDLER_GROUPS.filter(({ capability }) => prompts || capability !== 'prompts');
  const lowLevel = groups
    .filter(({ flag }) => !fields[flag])
    .flatMap(({ methods }) => methods.filter((method) => handlers.has(method)))
    .map((method) => `the method ${method} has a low-level handler; register through McpServer instead`);
  return [...own, ...lowLevel];
}

function takenTools({ _registeredTools: tools }: PrivateFields, { documentTools, typedTools }: BoundSkills): string[] {
  const isTaken = (name: string) => Object.hasOwn(tools, name);
  const renamed = 'give ours another name with the option toolNames';
  return [
    ...[...documentTools].filter(isTaken).map((name) => `the tool "${name}" is already registered; ${renamed}`),
    ...[...typedTools]
      .filter(isTaken)
      .map((name) => `the tool "${name}" is already registered; rename the typed skill`),
    ...[...typedTools]
      .filter((name) => documentTools.has(name))
      .map((name) => `the typed skill "${name}" has the name of a tool over documents; ${renamed}`),
  ];
}

function takenResources(fields: PrivateFields, { repertoire }: BoundSkills): string[] {
  const uris = repertoire.snapshot.skills.map(({ uri }) => uri);
  const resources = uris
    .filter((uri) => Object.hasOwn(fields._registeredResources, uri))
    .map((uri) => `the resource ${uri} is already registered; remove it, or leave that skill out of the catalog`);
  const templates = Object.entries(fields._registeredResourceTemplates).flatMap(([name, { resourceTemplate }]) => {
    const { uriTemplate } = resourceTemplate;
    const isTaken =
      name === SKILL_TEMPLATE.name ||
      uriTemplate.toString() === SKILL_TEMPLATE.uriTemplate ||
      (MAY_BE_SKILL.test(uriTemplate.toString()) && uris.some((uri) => uriTemplate.match(uri) !== null));
    return isTaken ? [`the resource template "${name}" (${uriTemplate}) already answers for skills; remove it`] : [];
  });
  return [...resources, ...templates];
}

/** Others cannot match; asking them about every skill would cost a server that is made per request a millisecond. */
const MAY_BE_SKILL = /^(?:skill:|\{)/i;

const takenPrompts = ({ _registeredPrompts: prompts }: PrivateFields, { repertoire }: BoundSkills): string[] =>
  repertoire
    .named()
    .filter(({ name }) => Object.hasOwn(prompts, name))
    .map(({ name }) => `the prompt "${name}" is already registered; turn ours off with the option prompts: false`);
