// What of a server's own stands in the way of skills: found before anything is registered (T10).
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { MAY_BE_SKILL } from './owner-resources.ts';
import { type BoundSkills, EXTENSION_METHODS } from './sdk-handlers.ts';
import { HANDLER_GROUPS, type PrivateFields, type SdkServer } from './sdk-server.ts';

/** Throws one sentence that names every clash and how to fix it. With `keep` what is taken stays the owner's. */
export function refuseClashes(server: SdkServer, skills: ClashingSkills, taken: 'error' | 'keep'): void {
  if (server.mcp.isConnected()) {
    throw new Error('Cannot add skills: the server is already connected; call registerSkills before server.connect()');
  }
  const { fields } = server;
  const refused = [...lowLevelMethods(fields, skills), ...doubleNames(skills)];
  const kept = [
    ...takenMethods(fields),
    ...takenTools(fields, skills),
    ...takenResources(fields, skills),
    ...(skills.prompts ? takenPrompts(fields, skills) : []),
  ];
  const clashes = taken === 'keep' ? refused : [...refused, ...kept];
  if (clashes.length === 0) return;
  const canKeep = taken === 'error' && refused.length === 0;
  const remedy = canKeep ? "; or keep the server's own, and add the rest, with the option taken: 'keep'" : '';
  throw new Error(`Cannot add skills: ${clashes.join('; ')}${remedy}`);
}

type ClashingSkills = Pick<BoundSkills, 'repertoire' | 'documentTools' | 'typedTools' | 'prompts'>;

const takenMethods = ({ server }: PrivateFields): string[] =>
  EXTENSION_METHODS.filter((method) => server._requestHandlers.has(method)).map(
    (method) => `the method ${method} is already handled; remove that handler`,
  );

/** The SDK itself refuses to set its handlers beside such a one. */
function lowLevelMethods(fields: PrivateFields, { prompts }: ClashingSkills): string[] {
  const handlers = fields.server._requestHandlers;
  const groups = HANDLER_GROUPS.filter(({ capability }) => prompts || capability !== 'prompts');
  return groups
    .filter(({ flag }) => !fields[flag])
    .flatMap(({ methods }) => methods.filter((method) => handlers.has(method)))
    .map((method) => `the method ${method} has a low-level handler; register through McpServer instead`);
}

const RENAMED = 'give ours another name with the option toolNames';

const doubleNames = ({ documentTools, typedTools }: ClashingSkills): string[] =>
  [...typedTools]
    .filter((name) => documentTools.has(name))
    .map((name) => `the typed skill "${name}" has the name of a tool over documents; ${RENAMED}`);

function takenTools(
  { _registeredTools: tools }: PrivateFields,
  { documentTools, typedTools }: ClashingSkills,
): string[] {
  const isTaken = (name: string) => Object.hasOwn(tools, name);
  return [
    ...[...documentTools.keys()].filter(isTaken).map((name) => `the tool "${name}" is already registered; ${RENAMED}`),
    ...[...typedTools]
      .filter(isTaken)
      .map((name) => `the tool "${name}" is already registered; rename the typed skill`),
  ];
}

function takenResources(fields: PrivateFields, { repertoire }: ClashingSkills): string[] {
  const { snapshot } = repertoire;
  const resources = Object.keys(fields._registeredResources)
    .filter((uri) => MAY_BE_SKILL.test(uri) && snapshot.findByUri(uri) !== undefined)
    .map((uri) => `the resource ${uri} is already registered; remove it, or leave that skill out of the catalog`);
  const templates = Object.entries(fields._registeredResourceTemplates).flatMap(([name, { resourceTemplate }]) => {
    const { uriTemplate } = resourceTemplate;
    const isTaken =
      name === SKILL_TEMPLATE.name ||
      uriTemplate.toString() === SKILL_TEMPLATE.uriTemplate ||
      (MAY_BE_SKILL.test(uriTemplate.toString()) && snapshot.skills.some(({ uri }) => uriTemplate.match(uri) !== null));
    return isTaken ? [`the resource template "${name}" (${uriTemplate}) already answers for skills; remove it`] : [];
  });
  return [...resources, ...templates];
}

const takenPrompts = ({ _registeredPrompts: prompts }: PrivateFields, { repertoire }: ClashingSkills): string[] =>
  repertoire
    .named()
    .filter(({ name }) => Object.hasOwn(prompts, name))
    .map(({ name }) => `the prompt "${name}" is already registered; turn ours off with the option prompts: false`);
