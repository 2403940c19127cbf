// A part of the dashboard whose code is fetched when it is first shown.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Skeleton } from './states.tsx';

/** What was fetched once is there at once. */
export function loadedLater<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => JSX.Element {
  let known: ComponentType<P> | undefined;
  return (props) => {
    const [state, setState] = useState<'loading' | 'there' | 'failed'>(known === undefined ? 'loading' : 'there');
    useEffect(() => {
      if (state !== 'loading') return;
      load().then(
        (part) => {
          known = part;
          setState('there');
        },
        () => setState('failed'),
      );
    }, [state]);
    if (state === 'failed') return <Failed trouble={NOT_FETCHED} retry={() => setState('loading')} />;
    const Part = known;
    return Part === undefined ? <Skeleton lines={6} /> : <Part {...props} />;
  };
}

const NOT_FETCHED = {
  status: 0,
  code: 'UNREACHABLE',
  message: 'This part of the page could not be fetched.',
  action: 'Check that the server is running, then try again.',
  reason: undefined,
  correlationId: undefined,
  body: undefined,
};
