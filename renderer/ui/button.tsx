import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import './button.css';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the main action; `ghost` has no border; `danger` stops or destroys. */
  readonly variant?: 'normal' | 'primary' | 'ghost' | 'danger';
  /** `small` is 24 px (bars and headers), `normal` is 28 px. */
  readonly size?: 'normal' | 'small';
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with a text label. */
export function Button({ variant = 'normal', size = 'normal', className = '', ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={`button ${className}`} data-variant={variant} data-size={size} />;
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name, which is also shown in the tooltip together with `hint`. */
  readonly label: string;
  /** Shortcut or reason, shown after the label in the tooltip. */
  readonly hint?: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square button that contains only an icon. */
export function IconButton({ label, hint, className = '', children, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} hint={hint}>
      <button type="button" {...rest} aria-label={label} className={`icon-button ${className}`}>
        {children}
      </button>
    </Tooltip>
  );
}
