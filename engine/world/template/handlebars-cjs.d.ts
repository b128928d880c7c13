/** The Handlebars build without its file loader, which bundlers cannot handle. The types are the package's own. */
declare module 'handlebars/dist/cjs/handlebars.js' {
  import Handlebars from 'handlebars';

  export default Handlebars;
}
