// Lines over the foot of the page, one above the other: they say what is the case now, and move nothing of what one reads.
import type { ComponentChildren } from 'preact';

export const Banners = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="banners">{children}</div>
);

export const Banner = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="banner" role="status">
    {children}
  </div>
);
