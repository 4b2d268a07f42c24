export { flash } from '../page.ts';
