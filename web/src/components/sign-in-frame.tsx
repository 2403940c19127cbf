// What stands around every question of signing in: the name of the program and one card's room, without the navigation.
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

export function SignInFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="sign-in">
      <main>
        <div class="brand">
          <Icon name="brand" size={24} /> Repertoire
        </div>
        {children}
      </main>
    </div>
  );
}
