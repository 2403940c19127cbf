// How an invocation ended: what it gave, or what went wrong and what to do. Each fact once.
import type { InvocationResult } from '../model/shapes.ts';
import { listedViolations, type Violation } from '../model/violations.ts';
import { JsonView } from './json-view.tsx';

export function ResultView({ result }: { readonly result: InvocationResult }) {
  if (result.success) return <JsonView value={result.output_payload} label="Result values" />;
  // The sentence and the details say the same; the list is the one that can be read.
  const violations = listedViolations(result.failure_details);
  return (
    <>
      <dl class="facts">
        <dt>Failure</dt>
        <dd>
          <span class="pill bad">{result.failure_code}</span> <span class="small muted">{result.severity}</span>
        </dd>
        <dt>Message</dt>
        <dd>{violations === undefined ? result.failure_message : <Violations violations={violations} />}</dd>
        <dt>What to do</dt>
        <dd>{result.suggested_action}</dd>
      </dl>
      {result.failure_details !== null && violations === undefined && (
        <JsonView value={result.failure_details} label="Details of the failure" />
      )}
    </>
  );
}

const Violations = ({ violations }: { readonly violations: readonly Violation[] }) => (
  <ul>
    {violations.map(({ path, message }) => (
      <li key={`${path} ${message}`}>
        {path === '' ? 'The input' : <code>{path}</code>} {message}
      </li>
    ))}
  </ul>
);
