// How an invocation ended: what it gave, or what went wrong and what to do.
import type { InvocationResult } from '../model/shapes.ts';
import { JsonView } from './json-view.tsx';

export function ResultView({ result }: { readonly result: InvocationResult }) {
  if (result.success) return <JsonView value={result.output_payload} label="Result" />;
  return (
    <>
      <dl class="facts">
        <dt>Failure</dt>
        <dd>
          <span class="pill bad">{result.failure_code}</span> <span class="small muted">{result.severity}</span>
        </dd>
        <dt>Message</dt>
        <dd>{result.failure_message}</dd>
        <dt>What to do</dt>
        <dd>{result.suggested_action}</dd>
      </dl>
      {result.failure_details !== null && <JsonView value={result.failure_details} label="Details of the failure" />}
    </>
  );
}
