/** The mill wheel. Decorative, because the name is shown beside it. */
export function BrandIcon({ size = 16 }: { size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
    >
      <circle cx="8" cy="6.75" r="4.25" />
      <path d="M8 1.25v11M2.5 6.75h11M4.1 2.85l7.8 7.8M11.9 2.85l-7.8 7.8" strokeWidth="1.2" />
      <path d="M1.5 14.25h13" />
    </svg>
  );
}
