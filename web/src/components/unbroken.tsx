// What a fault of ours leaves standing: a page that throws is replaced by a sentence and two ways on, not by a white window.
import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { Place } from '../browser/router.ts';

interface UnbrokenProps {
  /** Another one is another try. */
  readonly place: Place;
  readonly children: ComponentChildren;
}

export function Unbroken({ place, children }: UnbrokenProps) {
  const [error, forget] = useErrorBoundary();
  useEffect(forget, [place]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="page">
      <div class="card">
        <div class="notice bad-edge" role="alert">
          <h1>This page broke</h1>
          <p>
            <code>{String(error)}</code>
          </p>
          <p>
            <button type="button" class="button" onClick={() => location.reload()}>
              Reload
            </button>{' '}
            <a class="button quiet" href="/">
              Overview
            </a>
          </p>
        </div>
      </div>
    </div>
  );
}
