// Stands for the package. In a project of your own `chain` comes from 'repertoire/skills', the others from 'repertoire'.
// Not all of src/index.ts: read through the TypeScript loader, as here, that takes two seconds; the package does not.

export { defineConfig } from '../../src/settings/user-config.ts';
export { defineSkill } from '../../src/skills/define/define-skill.ts';
export { failure } from '../../src/skills/define/failure.ts';
export { secret } from '../../src/skills/define/secret.ts';
export { chain } from '../../src/skills/run/compose.ts';
