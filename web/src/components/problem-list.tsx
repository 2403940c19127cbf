// What is wrong, and what to do: as a table for one document, and by file where there are many.

import type { FileProblems, ProblemSeverity } from '../model/problem-groups.ts';
import type { Problem } from '../model/shapes.ts';
import { plural } from '../text/format.ts';
import { Ticked } from './ticked.tsx';

export const ProblemTable = ({ problems }: { readonly problems: readonly Problem[] }) => (
  <div class="table-wrap">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col" class="hide-small">
            Rule
          </th>
          <th scope="col">What is the case, and what to do</th>
        </tr>
      </thead>
      <tbody>
        {problems.map((problem) => (
          <tr key={`${problem.path} ${problem.rule} ${problem.message}`}>
            <td class="wide mono">
              {problem.path}
              {problem.line !== null && `:${problem.line}`}
            </td>
            <td class="fit hide-small">
              <span class="pill warn">{problem.rule}</span>
            </td>
            <td class="wide">
              <Sentences problem={problem} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const ProblemFiles = ({ files }: { readonly files: readonly FileProblems[] }) => (
  <ul class="problem-files">
    {files.map(({ path, address, problems }) => (
      <li key={path}>
        <h3 class="mono break">
          {address === undefined ? path : <a href={address}>{path}</a>}{' '}
          {problems.length > 1 && <span class="muted">{plural(problems.length, 'problem')}</span>}
        </h3>
        <ul>
          {problems.map((problem) => (
            <FileProblem key={`${problem.rule} ${problem.line} ${problem.message}`} problem={problem} />
          ))}
        </ul>
      </li>
    ))}
  </ul>
);

const TONES: Readonly<Record<ProblemSeverity, string>> = { error: 'bad', warning: 'warn', advice: 'info' };

const FileProblem = ({ problem }: { readonly problem: Problem }) => (
  <li class="problem">
    <div class="break">
      <Sentences problem={problem} />
    </div>
    <span class="pills">
      {problem.line !== null && <span class="pill">line {problem.line}</span>}
      <span class={`pill dot ${TONES[problem.severity]}`}>{problem.severity}</span>
      <span class="pill">{problem.rule}</span>
    </span>
  </li>
);

const Sentences = ({ problem: { message, fix } }: { readonly problem: Problem }) => (
  <>
    <Ticked text={message} />
    <div class="muted">
      <Ticked text={fix} />
    </div>
  </>
);
