// Stands for the package. In a project of your own import from 'repertoire', 'repertoire/builtin', 'repertoire/skills' and
// 'repertoire/store'.
export { createBuiltinSkills } from '../../src/builtin.ts';
export { defineSkill } from '../../src/skills/define/define-skill.ts';
export { createRuntime } from '../../src/skills.ts';
export { openStore } from '../../src/store.ts';
