// Stands for the package. In a project of your own `chain` comes from 'repertoire/skills', the others from 'repertoire'.
// Not all of src/index.ts: read through the TypeScript loader, as here, that takes two seconds; the package does not.
export { chain } from '../../src/execution/compose.ts';
export { defineSkill } from '../../src/execution/define-skill.ts';
export { secret } from '../../src/execution/secrets/secret.ts';
export { failure } from '../../src/execution/skill-failure.ts';
export { defineConfig } from '../../src/user-config.ts';
