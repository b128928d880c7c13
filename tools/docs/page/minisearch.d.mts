/** The build copies the package beside the script, because a browser can't find packages by name. */
export { default } from 'minisearch';
