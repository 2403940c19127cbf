// A line over the foot of the page: it says what is the case now, and moves nothing of what one reads.
import type { ComponentChildren } from 'preact';

export const Banner = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="banner" role="status">
    {children}
  </div>
);
