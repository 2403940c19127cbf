// One skill in one safe line, as T1 wants it: `- name (description)`.
import type { Skill } from '../catalog/view/skill.ts';
import { listText } from '../text/list-text.ts';

const MAX_NAME = 100;
export const MAX_DESCRIPTION = 200;

type Shown = Pick<Skill, 'name' | 'description'>;

export const skillLine = (skill: Shown): string =>
  `${nameLine(skill)} (${listText(skill.description, MAX_DESCRIPTION)})`;

export const nameLine = ({ name }: Pick<Skill, 'name'>): string => `- ${listText(name, MAX_NAME)}`;
