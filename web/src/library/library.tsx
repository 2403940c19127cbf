// The pages of the library, in one part that is fetched when the first of them is opened.
import type { Me } from '../model/shapes.ts';
import { LibraryPage } from './library-page.tsx';
import { LibrarySkillPage } from './library-skill-page.tsx';

export interface LibraryProps {
  /** Absent: all of them. */
  readonly name: string | undefined;
  readonly me: Me;
}

export const Library = ({ name, me }: LibraryProps) =>
  name === undefined ? <LibraryPage me={me} /> : <LibrarySkillPage key={name} name={name} me={me} />;
