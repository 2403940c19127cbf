// Stands for the package: in a project of your own these come from 'repertoire'.

export { defineConfig } from '../../src/settings/user-config.ts';
export { defineSkill } from '../../src/skills/define/define-skill.ts';
export { failure } from '../../src/skills/define/failure.ts';
