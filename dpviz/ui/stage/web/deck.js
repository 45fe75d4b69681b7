var o3=Object.create;var Uf=Object.defineProperty;var s3=Object.getOwnPropertyDescriptor;var a3=Object.getOwnPropertyNames;var c3=Object.getPrototypeOf,l3=Object.prototype.hasOwnProperty;var x=(r,e,t)=>()=>{if(t)throw t[0];try{return r&&(e=r(r=0)),e}catch(i){throw t=[i],i}};var f3=(r,e)=>()=>{try{return e||r((e={exports:{}}).exports,e),e.exports}catch(t){throw e=0,t}},Gt=(r,e)=>{for(var t in e)Uf(r,t,{get:e[t],enumerable:!0})},u3=(r,e,t,i)=>{if(e&&typeof e=="object"||typeof e=="function")for(let n of a3(e))!l3.call(r,n)&&n!==t&&Uf(r,n,{get:()=>e[n],enumerable:!(i=s3(e,n))||i.enumerable});return r};var d3=(r,e,t)=>(t=r!=null?o3(c3(r)):{},u3(e||!r||!r.__esModule?Uf(t,"default",{value:r,enumerable:!0}):t,r));var Bn,y3,xa,x3,qg,Gf=x(()=>{Bn=globalThis,y3=globalThis.document||{},xa=globalThis.process||{},x3=globalThis.console,qg=globalThis.navigator||{}});function ba(r){if(typeof window<"u"&&window.process?.type==="renderer"||typeof process<"u"&&process.versions?.electron)return!0;let e=typeof navigator<"u"&&navigator.userAgent,t=r||e;return!!(t&&t.indexOf("Electron")>=0)}var Vf=x(()=>{});function Fe(){return!(typeof process=="object"&&String(process)==="[object process]"&&!process?.browser)||ba()}var $f=x(()=>{Vf()});function Wf(r){return!r&&!Fe()?"Node":ba(r)?"Electron":(r||qg.userAgent||"").indexOf("Edge")>-1?"Edge":globalThis.chrome?"Chrome":globalThis.safari?"Safari":globalThis.mozInnerScreenX?"Firefox":"Unknown"}var Zg=x(()=>{$f();Vf();Gf()});var jf,Ir=x(()=>{Gf();$f();Zg();jf="4.1.2"});function Ei(r,e){if(!r)throw new Error(e||"Assertion failed")}var Hf=x(()=>{});function Yf(r){if(!r)return 0;let e;switch(typeof r){case"number":e=r;break;case"object":e=r.logLevel||r.priority||0;break;default:return 0}return Ei(Number.isFinite(e)&&e>=0),e}function Xg(r){let{logLevel:e,message:t}=r;r.logLevel=Yf(e);let i=r.args?Array.from(r.args):[];for(;i.length&&i.shift()!==t;);switch(typeof e){case"string":case"function":t!==void 0&&i.unshift(t),r.message=e;break;case"object":Object.assign(r,e);break;default:}typeof r.message=="function"&&(r.message=r.message());let n=typeof r.message;return Ei(n==="string"||n==="object"),Object.assign(r,{args:i},r.opts)}var Kg=x(()=>{Hf()});var Rr,va,Qg=x(()=>{Kg();Rr=()=>{},va=class{constructor({level:e=0}={}){this.userData={},this._onceCache=new Set,this._level=e}set level(e){this.setLevel(e)}get level(){return this.getLevel()}setLevel(e){return this._level=e,this}getLevel(){return this._level}warn(e,...t){return this._log("warn",0,e,t,{once:!0})}error(e,...t){return this._log("error",0,e,t)}log(e,t,...i){return this._log("log",e,t,i)}info(e,t,...i){return this._log("info",e,t,i)}once(e,t,...i){return this._log("once",e,t,i,{once:!0})}_log(e,t,i,n,o={}){let s=Xg({logLevel:t,message:i,args:this._buildArgs(t,i,n),opts:o});return this._createLogFunction(e,s,o)}_buildArgs(e,t,i){return[e,t,...i]}_createLogFunction(e,t,i){if(!this._shouldLog(t.logLevel))return Rr;let n=this._getOnceTag(i.tag??t.tag??t.message);if((i.once||t.once)&&n!==void 0){if(this._onceCache.has(n))return Rr;this._onceCache.add(n)}return this._emit(e,t)}_shouldLog(e){return this.getLevel()>=Yf(e)}_getOnceTag(e){if(e!==void 0)try{return typeof e=="string"?e:String(e)}catch{return}}}});function v3(r){try{let e=window[r],t="__storage_test__";return e.setItem(t,t),e.removeItem(t),e}catch{return null}}var wa,Jg=x(()=>{wa=class{constructor(e,t,i="sessionStorage"){this.storage=v3(i),this.id=e,this.config=t,this._loadConfiguration()}getConfiguration(){return this.config}setConfiguration(e){if(Object.assign(this.config,e),this.storage){let t=JSON.stringify(this.config);this.storage.setItem(this.id,t)}}_loadConfiguration(){let e={};if(this.storage){let t=this.storage.getItem(this.id);e=t?JSON.parse(t):{}}return Object.assign(this.config,e),this}}});function em(r){let e;return r<10?e=`${r.toFixed(2)}ms`:r<100?e=`${r.toFixed(1)}ms`:r<1e3?e=`${r.toFixed(0)}ms`:e=`${(r/1e3).toFixed(2)}s`,e}function tm(r,e=8){let t=Math.max(e-r.length,0);return`${" ".repeat(t)}${r}`}var rm=x(()=>{});function im(r){return typeof r!="string"?r:(r=r.toUpperCase(),Pa[r]||Pa.WHITE)}function nm(r,e,t){return!Fe&&typeof r=="string"&&(e&&(r=`\x1B[${im(e)}m${r}\x1B[39m`),t&&(r=`\x1B[${im(t)+w3}m${r}\x1B[49m`)),r}var Pa,w3,om=x(()=>{Ir();(function(r){r[r.BLACK=30]="BLACK",r[r.RED=31]="RED",r[r.GREEN=32]="GREEN",r[r.YELLOW=33]="YELLOW",r[r.BLUE=34]="BLUE",r[r.MAGENTA=35]="MAGENTA",r[r.CYAN=36]="CYAN",r[r.WHITE=37]="WHITE",r[r.BRIGHT_BLACK=90]="BRIGHT_BLACK",r[r.BRIGHT_RED=91]="BRIGHT_RED",r[r.BRIGHT_GREEN=92]="BRIGHT_GREEN",r[r.BRIGHT_YELLOW=93]="BRIGHT_YELLOW",r[r.BRIGHT_BLUE=94]="BRIGHT_BLUE",r[r.BRIGHT_MAGENTA=95]="BRIGHT_MAGENTA",r[r.BRIGHT_CYAN=96]="BRIGHT_CYAN",r[r.BRIGHT_WHITE=97]="BRIGHT_WHITE"})(Pa||(Pa={}));w3=10});function sm(r,e=["constructor"]){let t=Object.getPrototypeOf(r),i=Object.getOwnPropertyNames(t),n=r;for(let o of i){let s=n[o];typeof s=="function"&&(e.find(a=>o===a)||(n[o]=s.bind(r)))}}var am=x(()=>{});var Ea,xt,qf=x(()=>{Ir();Ea=class{getHighResolutionTimer(){let e;if(Fe()&&Bn.performance)e=Bn?.performance?.now?.();else if("hrtime"in xa){let t=xa?.hrtime?.();e=t[0]*1e3+t[1]/1e6}else e=Date.now();return e}getMemoryUsageMB(){let t=Bn?.performance?.memory?.usedJSHeapSize;return t==null?null:Math.trunc(t/1024/1024)}},xt=new Ea;globalThis.Probe=Ea;globalThis.probe=xt});function P3(r,e,t){if(typeof e=="string"){let i=t.time?tm(em(t.total)):"";e=t.time?`${r}: ${i}  ${e}`:`${r}: ${e}`,e=nm(e,t.color,t.background)}return e}function E3(r){for(let e in r)for(let t in r[e])return t||"untitled";return"empty"}var Si,Zf,Te,Xf=x(()=>{Ir();Qg();Jg();rm();om();am();Hf();qf();Si={debug:Fe()&&console.debug||console.log,log:console.log,info:console.info,warn:console.warn,error:console.error},Zf={enabled:!0,level:0},Te=class extends va{constructor({id:e}={id:""}){super({level:0}),this.VERSION=jf,this._startTs=xt.getHighResolutionTimer(),this._deltaTs=xt.getHighResolutionTimer(),this.userData={},this.LOG_THROTTLE_TIMEOUT=0,this.id=e,this.userData={},this._storage=new wa(`__probe-${this.id}__`,{[this.id]:Zf}),this.timeStamp(`${this.id} started`),sm(this),Object.seal(this)}isEnabled(){return this._getConfiguration().enabled}getLevel(){return this._getConfiguration().level}getTotal(){return Number((xt.getHighResolutionTimer()-this._startTs).toPrecision(10))}getDelta(){return Number((xt.getHighResolutionTimer()-this._deltaTs).toPrecision(10))}set priority(e){this.level=e}get priority(){return this.level}getPriority(){return this.level}enable(e=!0){return this._updateConfiguration({enabled:e}),this}setLevel(e){return this._updateConfiguration({level:e}),this}get(e){return this._getConfiguration()[e]}set(e,t){this._updateConfiguration({[e]:t})}settings(){console.table?console.table(this._storage.config):console.log(this._storage.config)}assert(e,t){if(!e)throw new Error(t||"Assertion failed")}warn(e,...t){return this._log("warn",0,e,t,{method:Si.warn,once:!0})}error(e,...t){return this._log("error",0,e,t,{method:Si.error})}deprecated(e,t){return this.warn(`\`${e}\` is deprecated and will be removed in a later version. Use \`${t}\` instead`)}removed(e,t){return this.error(`\`${e}\` has been removed. Use \`${t}\` instead`)}probe(e,t,...i){let n=xt.getMemoryUsageMB();if(n!==null){let o=`${n}MB `;typeof t=="function"?t=()=>`${o}${t()}`:typeof t=="string"&&(t=`${o}${t}`)}return this._log("log",e,t,i,{method:Si.log,time:!0,once:!0})}log(e,t,...i){return this._log("log",e,t,i,{method:Si.debug})}info(e,t,...i){return this._log("info",e,t,i,{method:console.info})}once(e,t,...i){return this._log("once",e,t,i,{method:Si.debug||Si.info,once:!0})}table(e,t,i){return t?this._log("table",e,t,i&&[i]||[],{method:console.table||Rr,tag:E3(t)}):Rr}time(e,t){return this._log("time",e,t,[],{method:console.time?console.time:console.info})}timeEnd(e,t){return this._log("time",e,t,[],{method:console.timeEnd?console.timeEnd:console.info})}timeStamp(e,t){return this._log("time",e,t,[],{method:console.timeStamp||Rr})}group(e,t,i={collapsed:!1}){let n=(i.collapsed?console.groupCollapsed:console.group)||console.info;return this._log("group",e,t,[],{method:n})}groupCollapsed(e,t,i={}){return this.group(e,t,Object.assign({},i,{collapsed:!0}))}groupEnd(e){return this._log("groupEnd",e,"",[],{method:console.groupEnd||Rr})}withGroup(e,t,i){this.group(e,t)();try{i()}finally{this.groupEnd(e)()}}trace(){console.trace&&console.trace()}_shouldLog(e){return this.isEnabled()&&super._shouldLog(e)}_emit(e,t){let i=t.method;Ei(i),t.total=this.getTotal(),t.delta=this.getDelta(),this._deltaTs=xt.getHighResolutionTimer();let n=P3(this.id,t.message,t);return i.bind(console,n,...t.args)}_getConfiguration(){return this._storage.config[this.id]||this._updateConfiguration(Zf),this._storage.config[this.id]}_updateConfiguration(e){let t=this._storage.config[this.id]||{...Zf};this._storage.setConfiguration({[this.id]:{...t,...e}})}};Te.VERSION=jf});var cm=x(()=>{qf();globalThis.probe||(globalThis.probe=xt)});var TF,Dn=x(()=>{Xf();Xf();cm();TF=new Te({id:"@probe.gl/log"})});function zn(){let r;if(typeof window<"u"&&window.performance)r=window.performance.now();else if(typeof process<"u"&&process.hrtime){let e=process.hrtime();r=e[0]*1e3+e[1]/1e6}else r=Date.now();return r}var hu=x(()=>{});var Br,pu=x(()=>{hu();Br=class{constructor(e,t){this.sampleSize=1,this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this.name=e,this.type=t,this.reset()}reset(){return this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this}setSampleSize(e){return this.sampleSize=e,this}incrementCount(){return this.addCount(1),this}decrementCount(){return this.subtractCount(1),this}addCount(e){return this._count+=e,this._samples++,this._checkSampling(),this}subtractCount(e){return this._count-=e,this._samples++,this._checkSampling(),this}addTime(e){return this._time+=e,this.lastTiming=e,this._samples++,this._checkSampling(),this}timeStart(){return this._startTime=zn(),this._timerPending=!0,this}timeEnd(){return this._timerPending?(this.addTime(zn()-this._startTime),this._timerPending=!1,this._checkSampling(),this):this}getSampleAverageCount(){return this.sampleSize>0?this.lastSampleCount/this.sampleSize:0}getSampleAverageTime(){return this.sampleSize>0?this.lastSampleTime/this.sampleSize:0}getSampleHz(){return this.lastSampleTime>0?this.sampleSize/(this.lastSampleTime/1e3):0}getAverageCount(){return this.samples>0?this.count/this.samples:0}getAverageTime(){return this.samples>0?this.time/this.samples:0}getHz(){return this.time>0?this.samples/(this.time/1e3):0}_checkSampling(){this._samples===this.sampleSize&&(this.lastSampleTime=this._time,this.lastSampleCount=this._count,this.count+=this._count,this.time+=this._time,this.samples+=this._samples,this._time=0,this._count=0,this._samples=0)}}});var Ze,vm=x(()=>{pu();Ze=class{constructor(e){this.stats={},this.id=e.id,this.stats={},this._initializeStats(e.stats),Object.seal(this)}get(e,t="count"){return this._getOrCreate({name:e,type:t})}get size(){return Object.keys(this.stats).length}reset(){for(let e of Object.values(this.stats))e.reset();return this}forEach(e){for(let t of Object.values(this.stats))e(t)}getTable(){let e={};return this.forEach(t=>{e[t.name]={time:t.time||0,count:t.count||0,average:t.getAverageTime()||0,hz:t.getHz()||0}}),e}_initializeStats(e=[]){e.forEach(t=>this._getOrCreate(t))}_getOrCreate(e){let{name:t,type:i}=e,n=this.stats[t];return n||(e instanceof Br?n=e:n=new Br(t,i),this.stats[t]=n),n}}});var Un=x(()=>{vm();pu();hu()});function Km(r){return ArrayBuffer.isView(r)&&!(r instanceof DataView)}function Qm(r){return Array.isArray(r)?r.length===0||typeof r[0]=="number":!1}function Yn(r){return Km(r)||Qm(r)}var Jm=x(()=>{});var Cu=x(()=>{Jm()});function Ii(r){let e=r.split(""),t=0,i=0,n=!1,o=!1,s=!1;for(;t<r.length;){let a=r[t],c=r[t+1];if(o){s?s=!1:a==="\\"?s=!0:a==='"'&&(o=!1),t++;continue}if(n){a===`
`||a==="\r"?n=!1:e[t]=" ",t++;continue}if(i>0){if(a==="/"&&c==="*"){e[t]=" ",e[t+1]=" ",i++,t+=2;continue}if(a==="*"&&c==="/"){e[t]=" ",e[t+1]=" ",i--,t+=2;continue}a!==`
`&&a!=="\r"&&(e[t]=" "),t++;continue}if(a==='"'){o=!0,t++;continue}if(a==="/"&&c==="/"){e[t]=" ",e[t+1]=" ",n=!0,t+=2;continue}if(a==="/"&&c==="*"){e[t]=" ",e[t+1]=" ",i=1,t+=2;continue}t++}return e.join("")}function kr(r,e){let t=Ii(r),i=[];for(let n of e){n.lastIndex=0;let o;for(o=n.exec(t);o;){let s=n===e[0],a=o.index,c=o[0].length;i.push({match:r.slice(a,a+c),index:a,length:c,bindingToken:o[s?1:2],groupToken:o[s?2:1],accessDeclaration:o[3]?.trim(),name:o[4]}),o=n.exec(t)}}return i.sort((n,o)=>n.index-o.index)}function Du(r,e,t){let i=kr(r,e);if(!i.length)return r;let n="",o=0;for(let s of i)n+=r.slice(o,s.index),n+=t(s),o=s.index+s.length;return n+=r.slice(o),n}function ku(r){return/@binding\(\s*auto\s*\)/.test(Ii(r))}function p_(r,e){return kr(r,e===Mi||e===Fa?G1:e).find(i=>i.bindingToken==="auto")}var Ge,Mi,Fa,h_,G1,za=x(()=>{Ge="(?:var<\\s*(uniform|storage(?:\\s*,\\s*[A-Za-z_][A-Za-z0-9_]*)?)\\s*>|var)\\s+([A-Za-z_][A-Za-z0-9_]*)",Mi=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${Ge}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${Ge}`,"g")],Fa=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${Ge}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${Ge}`,"g")],h_=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${Ge}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${Ge}`,"g")],G1=[new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${Ge}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)\\s*${Ge}`,"g"),new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${Ge}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${Ge}`,"g")]});function Ga(r,e={}){let t=g_(r),i=V1(t);if(!i)return null;let n=$1(t,i);if(!n)return null;let o=j1(t,i,n);if(!o)return null;if(e.scanVertexAttributes===!1)return{attributes:[],bindings:o};let s=W1(t,i);if(!s)return null;let a=X1(t,i,n,s,e.vertexEntryPoint);return a?{attributes:a,bindings:o}:null}function g_(r){let e=Ii(r),t=/[A-Za-z_][A-Za-z0-9_]*|(?:0[xX][0-9A-Fa-f]+|\d+)|[@(){}<>\[\]:,;=]/g,i=[],n=t.exec(e);for(;n;)i.push({value:n[0],index:n.index}),n=t.exec(e);return i}function V1(r){let e=[],t=0;for(let i of r){if(i.value==="}"&&t===0)return null;e.push(t),i.value==="{"?t++:i.value==="}"&&t--}return t===0?e:null}function $1(r,e){let t=new Map;for(let i=0;i<r.length;i++){if(e[i]!==0||r[i].value!=="alias")continue;let n=r[i+1]?.value;if(!Xn(n)||r[i+2]?.value!=="="||t.has(n))return null;let o=y_(r,e,i+3,";");if(o<0||o===i+3)return null;t.set(n,Ua(r.slice(i+3,o))),i=o}return t}function W1(r,e){let t=new Map;for(let i=0;i<r.length;i++){if(e[i]!==0||r[i].value!=="struct")continue;let n=r[i+1]?.value,o=i+2;if(!Xn(n)||t.has(n)||r[o]?.value!=="{")return null;let s=Uu(r,o,"{","}");if(s<0)return null;t.set(n,r.slice(o+1,s)),i=s}return t}function j1(r,e,t){let i=[],n=new Set,o=new Set;for(let s=0;s<r.length;s++){if(e[s]!==0||r[s].value!=="var")continue;let a=x_(r,e,s),c=r.slice(a,s),l=Nu(c,"group"),f=Nu(c,"binding");if(l===null||f===null||l===void 0!=(f===void 0))return null;if(l===void 0||f===void 0)continue;let u=s+1,d=[];if(r[u]?.value==="<"){let v=Uu(r,u,"<",">");if(v<0)return null;let _=Va(r.slice(u+1,v),",");if(!_)return null;d=_.map(Ua),u=v+1}let h=r[u]?.value;if(!Xn(h)||r[u+1]?.value!==":")return null;let p=y_(r,e,u+2,";");if(p<0||p===u+2)return null;let g=zu(Ua(r.slice(u+2,p)),t);if(!g)return null;let m=H1({name:h,group:l,location:f,addressSpace:d,resourceType:g}),y=`${l}:${f}`;if(!m||n.has(y)||o.has(h))return null;i.push(m),n.add(y),o.add(h),s=p}return Z1(i),i.sort((s,a)=>s.group-a.group||s.location-a.location||s.name.localeCompare(a.name))}function H1(r){let{name:e,group:t,location:i,addressSpace:n,resourceType:o}=r,s={name:e,group:t,location:i};if(n[0]==="uniform"&&n.length===1)return{...s,type:"uniform"};if(n[0]==="storage"&&n.length<=2){let a=n[1]||"read";return a==="read"?{...s,type:"read-only-storage"}:a==="read_write"?{...s,type:"storage"}:null}return n.length>0?null:o==="sampler"||o==="sampler_comparison"?{...s,type:"sampler",...o==="sampler_comparison"?{samplerType:"comparison"}:{}}:o==="texture_external"?{...s,type:"external-texture"}:Y1(s,o)||q1(s,o)}function Y1(r,e){let t=/^texture_storage_(1d|2d|2d_array|3d)<([A-Za-z0-9_]+),(read|write|read_write)>$/.exec(e);if(!t)return null;let i={read:"read-only",write:"write-only",read_write:"read-write"}[t[3]];return{...r,type:"storage",format:t[2],access:i,viewDimension:Fu(t[1])}}function q1(r,e){let t=/^texture_(multisampled_)?(1d|2d|2d_array|cube|cube_array|3d)<(f32|i32|u32)>$/.exec(e);if(t){if(t[1]&&t[2]!=="2d")return null;let n={f32:"float",i32:"sint",u32:"uint"}[t[3]];return{...r,type:"texture",viewDimension:Fu(t[2]),sampleType:n,multisampled:!!t[1]}}let i=/^texture_depth_(multisampled_)?(2d|2d_array|cube|cube_array)$/.exec(e);return!i||i[1]&&i[2]!=="2d"?null:{...r,type:"texture",viewDimension:Fu(i[2]),sampleType:"depth",multisampled:!!i[1]}}function Z1(r){for(let e of r){if(e.type!=="sampler"||e.samplerType||!e.name.endsWith("Sampler"))continue;let t=e.name.slice(0,-7);r.find(n=>n.type==="texture"&&n.name===t&&n.group===e.group)?.sampleType==="depth"&&(e.samplerType="non-filtering")}}function X1(r,e,t,i,n){let o=K1(r,e);if(!o)return null;let s=o.filter(h=>h.vertex),a=n?s.find(h=>h.name===n):s.length===1?s[0]:void 0;if(!a)return s.length===0&&!n?[]:null;let c=Va(a.parameters,",");if(!c)return null;let l=[],f=new Set,u=new Set,d=new Set;for(let h of c)if(h.length>0&&!m_({declaration:h,aliases:t,structures:i,attributes:l,attributeLocations:f,attributeNames:u,visitedStructures:d}))return null;return l.sort((h,p)=>h.location-p.location||h.name.localeCompare(p.name))}function K1(r,e){let t=[],i=new Set;for(let n=0;n<r.length;n++){if(e[n]!==0||r[n].value!=="fn")continue;let o=r[n+1]?.value,s=n+2;if(!Xn(o)||i.has(o)||r[s]?.value!=="(")return null;let a=Uu(r,s,"(",")");if(a<0)return null;let c=x_(r,e,n);t.push({name:o,vertex:__(r.slice(c,n),"vertex"),parameters:r.slice(s+1,a)}),i.add(o),n=a}return t}function m_(r){let{declaration:e,aliases:t,structures:i,attributes:n,attributeLocations:o,attributeNames:s,visitedStructures:a}=r,c=eT(e,":");if(c<1||c===e.length-1)return!1;let l=tT(e.slice(0,c)),f=Nu(e.slice(0,c),"location"),u=__(e.slice(0,c),"builtin"),d=zu(Ua(e.slice(c+1)),t);if(!l||f===null||!d||f!==void 0&&u)return!1;if(f!==void 0){let g=J1(d);return!g||o.has(f)||s.has(l)?!1:(n.push({name:l,location:f,type:g}),o.add(f),s.add(l),!0)}if(u)return!0;let h=i.get(d);if(!h||a.has(d))return!1;let p=Va(h,",");if(!p)return!1;a.add(d);for(let g of p)if(g.length>0&&!m_({...r,declaration:g}))return!1;return a.delete(d),!0}function zu(r,e,t=new Set){let i=g_(r),n="";for(let o of i){let s=e.get(o.value);if(!s){n+=Q1(o.value);continue}if(t.has(o.value))return null;let a=new Set(t);a.add(o.value);let c=zu(s,e,a);if(!c)return null;n+=c}return n}function Q1(r){let e=/^(vec[234]|mat[234]x[234])([fiuh])$/.exec(r);if(!e)return r;let t={f:"f32",i:"i32",u:"u32",h:"f16"}[e[2]];return`${e[1]}<${t}>`}function J1(r){return/^(?:i32|u32|f32|f16|vec[234]<(?:i32|u32|f32|f16)>)$/.test(r)?r:null}function Nu(r,e){let t;for(let i=0;i<r.length;i++)if(!(r[i].value!=="@"||r[i+1]?.value!==e)){if(t!==void 0||r[i+2]?.value!=="("||!/^\d+$/.test(r[i+3]?.value||"")||r[i+4]?.value!==")")return null;t=Number(r[i+3].value)}return t}function __(r,e){return r.some((t,i)=>t.value==="@"&&r[i+1]?.value===e)}function Fu(r){return r.replace("_","-")}function Uu(r,e,t,i){let n=0;for(let o=e;o<r.length;o++)if(r[o].value===t)n++;else if(r[o].value===i&&--n===0)return o;return-1}function Va(r,e){let t=[],i=0,n={"(":0,"<":0,"[":0,"{":0},o=Object.keys(n),s={")":"(",">":"<","]":"[","}":"{"};for(let a=0;a<r.length;a++){let c=r[a].value;if(c===e&&o.every(l=>n[l]===0)){t.push(r.slice(i,a)),i=a+1;continue}if(c in n)n[c]++;else if(c in s){let l=s[c];if(n[l]--,n[l]<0)return null}}return o.every(a=>n[a]===0)?(t.push(r.slice(i)),t):null}function eT(r,e){let t=Va(r,e);return t&&t.length===2?t[0].length:-1}function y_(r,e,t,i){for(let n=t;n<r.length;n++)if(e[n]===0&&r[n].value===i)return n;return-1}function x_(r,e,t){for(let i=t-1;i>=0;i--)if(r[i].value===";"&&e[i]===0||r[i].value==="}"&&e[i]===1)return i+1;return 0}function tT(r){for(let e=r.length-1;e>=0;e--)if(Xn(r[e].value))return r[e].value;return null}function Ua(r){return r.map(e=>e.value).join("")}function Xn(r){return!!(r&&/^[A-Za-z_][A-Za-z0-9_]*$/.test(r))}var Gu=x(()=>{za()});function Wt(r,e){if(!r){let t=new Error(e||"shadertools: assertion failed.");throw Error.captureStackTrace?.(t,Wt),t}}var $a=x(()=>{});function v_(r){let e={};for(let[t,i]of Object.entries(r))e[t]=rT(i);return e}function rT(r){let e=b_(r);if(e!=="object")return{value:r,...Vu[e],type:e};if(typeof r=="object")return r?r.type!==void 0?{...r,...Vu[r.type],type:r.type}:r.value===void 0?{type:"object",value:r}:(e=b_(r.value),{...r,...Vu[e],type:e}):{type:"object",value:null};throw new Error("props")}function b_(r){return Array.isArray(r)||ArrayBuffer.isView(r)?"array":typeof r}var Vu,w_=x(()=>{Vu={number:{type:"number",validate(r,e){return Number.isFinite(r)&&typeof e=="object"&&(e.max===void 0||r<=e.max)&&(e.min===void 0||r>=e.min)}},array:{type:"array",validate(r,e){return Array.isArray(r)||ArrayBuffer.isView(r)}}}});var P_,E_,S_=x(()=>{P_=`#ifdef MODULE_LOGDEPTH
  logdepth_adjustPosition(gl_Position);
#endif
`,E_=`#ifdef MODULE_MATERIAL
  fragColor = material_filterColor(fragColor);
#endif

#ifdef MODULE_LIGHTING
  fragColor = lighting_filterColor(fragColor);
#endif

#ifdef MODULE_FOG
  fragColor = fog_filterColor(fragColor);
#endif

#ifdef MODULE_PICKING
  fragColor = picking_filterHighlightColor(fragColor);
  fragColor = picking_filterPickingColor(fragColor);
#endif

#ifdef MODULE_LOGDEPTH
  logdepth_setFragDepth();
#endif
`});function C_(r){let e={vertex:{},fragment:{}};for(let t in r){let i=r[t],n=nT(t);typeof i=="string"&&(i={order:0,injection:i}),e[n][t]=i}return e}function nT(r){let e=r.slice(0,2);switch(e){case"vs":return"vertex";case"fs":return"fragment";default:throw new Error(e)}}function Qn(r,e,t,i=!1,n="glsl",o={}){let s=e==="vertex";for(let a in t){let c=t[a];c.sort((f,u)=>f.order-u.order),$u.length=c.length;for(let f=0,u=c.length;f<u;++f)$u[f]=c[f].injection;let l=`${$u.join(`
`)}
`;switch(a){case"vs:#decl":(n==="wgsl"||s)&&(r=r.replace(Kn,l));break;case"vs:#main-start":(n==="wgsl"||s)&&(r=n==="wgsl"?Wa(r,"vertex",l,"start",o.vertex):r.replace(T_,f=>f+l));break;case"vs:#main-end":(n==="wgsl"||s)&&(r=n==="wgsl"?Wa(r,"vertex",l,"end",o.vertex):r.replace(L_,f=>l+f));break;case"fs:#decl":(n==="wgsl"||!s)&&(r=r.replace(Kn,l));break;case"fs:#main-start":(n==="wgsl"||!s)&&(r=n==="wgsl"?Wa(r,"fragment",l,"start",o.fragment):r.replace(T_,f=>f+l));break;case"fs:#main-end":(n==="wgsl"||!s)&&(r=n==="wgsl"?Wa(r,"fragment",l,"end",o.fragment):r.replace(L_,f=>l+f));break;default:r=r.replace(a,f=>f+l)}}return r=r.replace(Kn,""),i&&(r=r.replace(/\}\s*$/,a=>a+iT[e])),r}function Wa(r,e,t,i,n){let o=oT(r,e,n);if(!o)return r;if(i==="start"){let s=o.openBraceIndex+1;return`${r.slice(0,s)}
${t}${r.slice(s)}`}return`${r.slice(0,o.closeBraceIndex)}${t}${r.slice(o.closeBraceIndex)}`}function oT(r,e,t){let i=e==="vertex"?"@vertex":"@fragment",n=r.indexOf(i);if(n<0)return null;let o=t?r.search(new RegExp(`\\bfn\\s+${sT(t)}\\s*\\(`)):r.indexOf("fn",n);if(o<0)return null;let s=r.indexOf("{",o);if(s<0)return null;let a=0;for(let c=s;c<r.length;c++){let l=r[c];if(l==="{")a++;else if(l==="}"&&(a--,a===0))return{openBraceIndex:s,closeBraceIndex:c}}return null}function sT(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var iT,T_,L_,$u,Kn,Wu=x(()=>{S_();iT={vertex:P_,fragment:E_},T_=/void\s+main\s*\([^)]*\)\s*\{\n?/,L_=/}\n?[^{}]*$/,$u=[],Kn="__LUMA_INJECT_DECLARATIONS__"});function Ri(r){r.map(e=>aT(e))}function aT(r){if(r.instance)return;Ri(r.dependencies||[]);let{propTypes:e={},deprecations:t=[],inject:i={}}=r,n={normalizedInjections:C_(i),parsedDeprecations:cT(t)};e&&(n.propValidators=v_(e)),r.instance=n;let o={};e&&(o=Object.entries(e).reduce((s,[a,c])=>{let l=c?.value;return l&&(s[a]=l),s},{})),r.defaultUniforms={...r.defaultUniforms,...o}}function ju(r,e,t){r.deprecations?.forEach(i=>{i.regex?.test(e)&&(i.deprecated?t.deprecated(i.old,i.new)():t.removed(i.old,i.new)())})}function cT(r){return r.forEach(e=>{e.type==="function"?e.regex=new RegExp(`\\b${e.old}\\(`):e.regex=new RegExp(`${e.type} ${e.old};`)}),r}var ja=x(()=>{w_();Wu()});function Nr(r){Ri(r);let e={},t={};A_({modules:r,level:0,moduleMap:e,moduleDepth:t});let i=Object.keys(t).sort((n,o)=>t[o]-t[n]).map(n=>e[n]);return Ri(i),i}function A_(r){let{modules:e,level:t,moduleMap:i,moduleDepth:n}=r;if(t>=5)throw new Error("Possible loop in shader dependency graph");for(let o of e)i[o.name]=o,(n[o.name]===void 0||n[o.name]<t)&&(n[o.name]=t);for(let o of e)o.dependencies&&A_({modules:o.dependencies,level:t+1,moduleMap:i,moduleDepth:n})}var Hu=x(()=>{ja()});var E,Ce=x(()=>{Dn();E=new Te({id:"luma.gl"})});function lT(r,e){return r!=null?!!r:e!==void 0?e!=="production":!1}function fT(){return lT(E.get("debug"),uT())}function uT(){let r=globalThis.process;if(r?.env)return r.env.NODE_ENV}var Ha,Yu=x(()=>{Ce();Ha={id:null,powerPreference:"high-performance",failIfMajorPerformanceCaveat:!1,featureLevel:void 0,optionalFeatures:[],xrCompatible:!1,createCanvasContext:void 0,webgl:{},onError:(r,e)=>{},onResize:(r,e)=>{let[t,i]=r.getDevicePixelSize();E.log(1,`${r} resized => ${t}x${i}px`)()},onPositionChange:(r,e)=>{let[t,i]=r.getPosition();E.log(1,`${r} repositioned => ${t},${i}`)()},onVisibilityChange:r=>E.log(1,`${r} Visibility changed ${r.isVisible}`)(),onDevicePixelRatioChange:(r,e)=>E.log(1,`${r} DPR changed ${e.oldRatio} => ${r.devicePixelRatio}`)(),debug:fT(),debugGPUTime:!1,debugShaders:E.get("debug-shaders")||void 0,debugFramebuffers:!!E.get("debug-framebuffers"),debugFactories:!!E.get("debug-factories"),debugWebGL:!!E.get("debug-webgl"),debugSpectorJS:void 0,debugSpectorJSUrl:void 0,_reuseDevices:!1,_cacheShaders:!0,_destroyShaders:!1,_cachePipelines:!0,_sharePipelines:!0,_destroyPipelines:!1,_initializeFeatures:!0,_disabledFeatures:{"compilation-status-async-webgl":!0},_handle:void 0}});function pT(r,e){let t=r.stats,i=!1;for(let c of e)t[c]||(r.get(c),i=!0);let n=Object.keys(t).length,o=M_.get(r);if(!i&&o?.orderedStatNames===e&&o.statCount===n)return;let s={},a=I_.get(e);a||(a=new Set(e),I_.set(e,a));for(let c of e)t[c]&&(s[c]=t[c]);for(let[c,l]of Object.entries(t))a.has(c)||(s[c]=l);for(let c of Object.keys(t))delete t[c];Object.assign(t,s),M_.set(r,{orderedStatNames:e,statCount:n})}var dT,hT,M_,I_,qu,Ya,Zu=x(()=>{Un();dT="GPU Time and Memory",hT=["Adapter","GPU","GPU Type","GPU Backend","Frame Rate","CPU Time","GPU Time","GPU Memory","Buffer Memory","Texture Memory","External Buffer Memory","External Texture Memory","Swap Chain Texture"],M_=new WeakMap,I_=new WeakMap,qu=class{stats=new Map;getStats(e){return this.get(e)}get(e){this.stats.has(e)||this.stats.set(e,new Ze({id:e}));let t=this.stats.get(e);return e===dT&&pT(t,hT),t}},Ya=new qu});var gT,R_,Xu,Oi,O_=x(()=>{Yu();Zu();Ce();gT="set luma.log.level=1 (or higher) to trace rendering",R_="No matching device found. Ensure `@luma.gl/webgl` and/or `@luma.gl/webgpu` modules are imported.",Xu=class r{static defaultProps={...Ha,type:"best-available",adapters:void 0,waitForPageLoad:!0};stats=Ya;log=E;VERSION="9.4.2";spector;preregisteredAdapters=new Map;constructor(){if(globalThis.luma){if(globalThis.luma.VERSION!==this.VERSION)throw E.error(`Found luma.gl ${globalThis.luma.VERSION} while initialzing ${this.VERSION}`)(),E.error("'yarn why @luma.gl/core' can help identify the source of the conflict")(),new Error("luma.gl - multiple versions detected: see console log");E.error("This version of luma.gl has already been initialized")()}E.log(1,`${this.VERSION} - ${gT}`)(),globalThis.luma=this}async createDevice(e={}){let t={...r.defaultProps,...e},i=this.selectAdapter(t.type,t.adapters);if(!i)throw new Error(R_);return t.waitForPageLoad&&await i.pageLoaded,await i.create(t)}async attachDevice(e,t){let i=this._getTypeFromHandle(e,t.adapters),n=i&&this.selectAdapter(i,t.adapters);if(!n)throw new Error(R_);return await n?.attach?.(e,t)}registerAdapters(e){for(let t of e)this.preregisteredAdapters.set(t.type,t)}getSupportedAdapters(e=[]){let t=this._getAdapterMap(e);return Array.from(t).map(([,i])=>i).filter(i=>i.isSupported?.()).map(i=>i.type)}getBestAvailableAdapterType(e=[]){let t=["webgpu","webgl","null"],i=this._getAdapterMap(e);for(let n of t)if(i.get(n)?.isSupported?.())return n;return null}selectAdapter(e,t=[]){let i=e;e==="best-available"&&(i=this.getBestAvailableAdapterType(t));let n=this._getAdapterMap(t);return i&&n.get(i)||null}enforceWebGL2(e=!0,t=[]){let n=this._getAdapterMap(t).get("webgl");n||E.warn("enforceWebGL2: webgl adapter not found")(),n?.enforceWebGL2?.(e)}setDefaultDeviceProps(e){Object.assign(r.defaultProps,e)}_getAdapterMap(e=[]){let t=new Map(this.preregisteredAdapters);for(let i of e)t.set(i.type,i);return t}_getTypeFromHandle(e,t=[]){return e instanceof WebGL2RenderingContext?"webgl":typeof GPUDevice<"u"&&e instanceof GPUDevice||e?.queue?"webgpu":e===null?"null":(e instanceof WebGLRenderingContext?E.warn("WebGL1 is not supported",e)():E.warn("Unknown handle type",e)(),null)}},Oi=new Xu});function yT(){return qa||(_T()||typeof window>"u"?qa=Promise.resolve():qa=new Promise(r=>window.addEventListener("load",()=>r()))),qa}var Jn,mT,_T,qa,B_=x(()=>{Ir();Jn=class{get pageLoaded(){return yT()}},mT=Fe()&&typeof document<"u",_T=()=>mT&&document.readyState==="complete",qa=null});function Et(r="id"){Ku[r]=Ku[r]||1;let e=Ku[r]++;return`${r}-${e}`}var Ku,Bi=x(()=>{Ku={}});function ET(r,e){let t={...e};for(let i in r)r[i]!==void 0&&(t[i]=r[i]);return t}function U_(r,e){let t=r.stats,i=!1;for(let c of e)t[c]||(r.get(c),i=!0);let n=Object.keys(t).length,o=F_.get(r);if(!i&&o?.orderedStatNames===e&&o.statCount===n)return;let s={},a=z_.get(e);a||(a=new Set(e),z_.set(e,a));for(let c of e)t[c]&&(s[c]=t[c]);for(let[c,l]of Object.entries(t))a.has(c)||(s[c]=l);for(let c of Object.keys(t))delete t[c];Object.assign(t,s),F_.set(r,{orderedStatNames:e,statCount:n})}function G_(r){return r.type==="webgl"?PT:wT}function eo(r){let e=r.userData[xT];return e?.enabled?e:null}function sr(){return globalThis.performance?.now?.()??Date.now()}function ST(r,e){let t=eo(r);if(!(!t||!t.activeDefaultFramebufferAcquireDepth))switch(t.transientCanvasResourceCreates=(t.transientCanvasResourceCreates||0)+1,e){case"Texture":t.transientCanvasTextureCreates=(t.transientCanvasTextureCreates||0)+1;break;case"TextureView":t.transientCanvasTextureViewCreates=(t.transientCanvasTextureViewCreates||0)+1;break;case"Sampler":t.transientCanvasSamplerCreates=(t.transientCanvasSamplerCreates||0)+1;break;case"Framebuffer":t.transientCanvasFramebufferCreates=(t.transientCanvasFramebufferCreates||0)+1;break;default:break}}function TT(r){let e=Object.getPrototypeOf(r);for(;e;){let t=Object.getPrototypeOf(e);if(!t||t===k.prototype)return LT(e)||r[Symbol.toStringTag]||r.constructor.name;e=t}return r[Symbol.toStringTag]||r.constructor.name}function LT(r){let e=Object.getOwnPropertyDescriptor(r,Symbol.toStringTag);return typeof e?.get=="function"?e.get.call(r):typeof e?.value=="string"?e.value:null}var xT,D_,k_,N_,bT,vT,wT,PT,F_,z_,k,ce=x(()=>{Bi();xT="cpu-hotspot-profiler",D_="GPU Resource Counts",k_="Resource Counts",N_="GPU Time and Memory",bT=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","RenderBundleEncoders","RenderBundles","ComputePasss","CommandEncoders","CommandBuffers"],vT=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","SharedRenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","RenderBundleEncoders","RenderBundles","ComputePasss","CommandEncoders","CommandBuffers"],wT=bT.flatMap(r=>[`${r} Created`,`${r} Active`]),PT=vT.flatMap(r=>[`${r} Created`,`${r} Active`]),F_=new WeakMap,z_=new WeakMap,k=class{static defaultProps={id:"undefined",handle:void 0,_isHandleBorrowed:!1,userData:void 0};toString(){return`${this[Symbol.toStringTag]||this.constructor.name}:"${this.id}"`}toJSON(){return this.toString()}id;props;userData={};_device;destroyed=!1;allocatedBytes=0;allocatedBytesName=null;_attachedResources=new Set;get ownsHandle(){return(this.props.handle===void 0||this.props.handle===null)&&!this.isHandleBorrowed}get isHandleBorrowed(){return!!this.props._isHandleBorrowed}constructor(e,t,i){if(!e)throw new Error("no device");this._device=e,this.props=ET(t,i);let n=this.props.id!=="undefined"?this.props.id:Et(this[Symbol.toStringTag]);this.props.id=n,this.id=n,this.userData=this.props.userData||{},this.addStats()}destroy(){this.destroyed||this.destroyResource()}delete(){return this.destroy(),this}getProps(){return this.props}attachResource(e){this._attachedResources.add(e)}detachResource(e){this._attachedResources.delete(e)}destroyAttachedResource(e){this._attachedResources.delete(e)&&e.destroy()}destroyAttachedResources(){for(let e of this._attachedResources)e.destroy();this._attachedResources=new Set}destroyResource(){this.destroyed||(this.destroyAttachedResources(),this.removeStats(),this.destroyed=!0)}removeStats(){let e=eo(this._device),t=e?sr():0,i=[this._device.statsManager.getStats(D_),this._device.statsManager.getStats(k_)],n=G_(this._device);for(let s of i)U_(s,n);let o=this.getStatsName();for(let s of i)s.get("Resources Active").decrementCount(),s.get(`${o}s Active`).decrementCount();e&&(e.statsBookkeepingCalls=(e.statsBookkeepingCalls||0)+1,e.statsBookkeepingTimeMs=(e.statsBookkeepingTimeMs||0)+(sr()-t))}trackAllocatedMemory(e,t=this.getStatsName()){let i=eo(this._device),n=i?sr():0,o=this._device.statsManager.getStats(N_);this.allocatedBytes>0&&this.allocatedBytesName&&(o.get("GPU Memory").subtractCount(this.allocatedBytes),o.get(`${this.allocatedBytesName} Memory`).subtractCount(this.allocatedBytes)),o.get("GPU Memory").addCount(e),o.get(`${t} Memory`).addCount(e),i&&(i.statsBookkeepingCalls=(i.statsBookkeepingCalls||0)+1,i.statsBookkeepingTimeMs=(i.statsBookkeepingTimeMs||0)+(sr()-n)),this.allocatedBytes=e,this.allocatedBytesName=t}trackReferencedMemory(e,t=this.getStatsName()){this.trackAllocatedMemory(e,`External ${t}`)}trackDeallocatedMemory(e=this.getStatsName()){if(this.allocatedBytes===0){this.allocatedBytesName=null;return}let t=eo(this._device),i=t?sr():0,n=this._device.statsManager.getStats(N_);n.get("GPU Memory").subtractCount(this.allocatedBytes),n.get(`${this.allocatedBytesName||e} Memory`).subtractCount(this.allocatedBytes),t&&(t.statsBookkeepingCalls=(t.statsBookkeepingCalls||0)+1,t.statsBookkeepingTimeMs=(t.statsBookkeepingTimeMs||0)+(sr()-i)),this.allocatedBytes=0,this.allocatedBytesName=null}trackDeallocatedReferencedMemory(e=this.getStatsName()){this.trackDeallocatedMemory(`Referenced ${e}`)}addStats(){let e=this.getStatsName(),t=eo(this._device),i=t?sr():0,n=[this._device.statsManager.getStats(D_),this._device.statsManager.getStats(k_)],o=G_(this._device);for(let s of n)U_(s,o);for(let s of n)s.get("Resources Created").incrementCount(),s.get("Resources Active").incrementCount(),s.get(`${e}s Created`).incrementCount(),s.get(`${e}s Active`).incrementCount();t&&(t.statsBookkeepingCalls=(t.statsBookkeepingCalls||0)+1,t.statsBookkeepingTimeMs=(t.statsBookkeepingTimeMs||0)+(sr()-i)),ST(this._device,e)}getStatsName(){return TT(this)}}});var F,Za=x(()=>{ce();F=class r extends k{static INDEX=16;static VERTEX=32;static UNIFORM=64;static STORAGE=128;static INDIRECT=256;static QUERY_RESOLVE=512;static MAP_READ=1;static MAP_WRITE=2;static COPY_SRC=4;static COPY_DST=8;get[Symbol.toStringTag](){return"Buffer"}usage;indexType;updateTimestamp;constructor(e,t){let i={...t};(t.usage||0)&r.INDEX&&!t.indexType&&(t.data instanceof Uint32Array?i.indexType="uint32":t.data instanceof Uint16Array?i.indexType="uint16":t.data instanceof Uint8Array&&(i.indexType="uint8")),delete i.data,super(e,i,r.defaultProps),this.usage=i.usage||0,this.indexType=i.indexType,this.updateTimestamp=e.incrementTimestamp()}clone(e){return this.device.createBuffer({...this.props,...e})}static DEBUG_DATA_MAX_LENGTH=32;debugData=new ArrayBuffer(0);_setDebugData(e,t,i){if(!this.device.props.debug)return;let n=null,o;ArrayBuffer.isView(e)?(n=e,o=e.buffer):o=e;let s=Math.min(e?e.byteLength:i,r.DEBUG_DATA_MAX_LENGTH);if(o===null)this.debugData=new ArrayBuffer(s);else{let a=Math.min(n?.byteOffset||0,o.byteLength),c=Math.max(0,o.byteLength-a),l=Math.min(s,c);this.debugData=new Uint8Array(o,a,l).slice().buffer}}static defaultProps={...k.defaultProps,handle:void 0,usage:0,byteLength:0,byteOffset:0,data:null,indexType:"uint16",onMapped:void 0}}});function V_(){return Qu??Uint16Array}function $_(r){return!!(Qu&&r===Qu)}var Qu,W_=x(()=>{Qu=globalThis.Float16Array});function j_(r){let e=r.includes("norm"),t=!e&&!r.startsWith("float"),i=r.startsWith("s"),n=Ju[r],[o,s,a]=n||["uint8 ","i32",1];return{signedType:o,primitiveType:s,byteLength:a,normalized:e,integer:t,signed:i}}function H_(r){let e=r;switch(e){case"uint8":return"unorm8";case"sint8":return"snorm8";case"uint16":return"unorm16";case"sint16":return"snorm16";default:return e}}function Xe(r,e){switch(e){case 1:return r;case 2:return r+r%2;default:return r+(4-r%4)%4}}function Xa(r){let e=ArrayBuffer.isView(r)?r.constructor:r;if($_(e))return"float16";if(e===Uint8ClampedArray)return"uint8";let t=Object.values(Ju).find(i=>e===i[4]);if(!t)throw new Error(e.name);return t[0]}function Y_(r){return Xa(r)}function Fr(r){if(r==="float16")return V_();let e=Ju[r];if(!e)throw new Error(r);let[,,,,t]=e;return t}function zr(r){return Fr(r)}var Ju,Ka=x(()=>{W_();Ju={uint8:["uint8","u32",1,!1,Uint8Array],sint8:["sint8","i32",1,!1,Int8Array],unorm8:["uint8","f32",1,!0,Uint8Array],snorm8:["sint8","f32",1,!0,Int8Array],uint16:["uint16","u32",2,!1,Uint16Array],sint16:["sint16","i32",2,!1,Int16Array],unorm16:["uint16","u32",2,!0,Uint16Array],snorm16:["sint16","i32",2,!0,Int16Array],float16:["float16","f16",2,!1,Uint16Array],float32:["float32","f32",4,!1,Float32Array],uint32:["uint32","u32",4,!1,Uint32Array],sint32:["sint32","i32",4,!1,Int32Array]}});var ed,ge,Qa=x(()=>{Ka();ed=class{getDataTypeInfo(e){return j_(e)}getNormalizedDataType(e){return H_(e)}alignTo(e,t){return Xe(e,t)}getDataType(e){return Y_(e)}getTypedArrayConstructor(e){return zr(e)}},ge=new ed});function CT(r,e){try{return ge.getDataTypeInfo(e)}catch{throw new Error(`Unsupported vertex format: ${r}`)}}function AT(r,e){if(!e)return 1;let t=Number(e);if(t===2||t===3||t===4)return t;throw new Error(`Unsupported vertex format: ${r}`)}function MT(r,e,t){if(t!==3)throw new Error(`Unsupported vertex format: ${r}`);switch(e){case"uint8":case"sint8":case"unorm8":case"snorm8":case"uint16":case"sint16":case"unorm16":case"snorm16":return`${e}x3-webgl`;default:throw new Error(`Unsupported vertex format: ${r}`)}}var td,K,to=x(()=>{Qa();td=class{getVertexFormatInfo(e){if(e==="unorm10-10-10-2")return{type:"unorm8",components:4,byteLength:4,integer:!1,signed:!1,normalized:!0};let t=e==="unorm8x4-bgra"?"unorm8x4":e,i;t.endsWith("-webgl")&&(t=t.slice(0,-6),i=!0);let n=t.split("x");if(n.length>2)throw new Error(`Unsupported vertex format: ${e}`);let[o,s]=n,a=o,c=AT(e,s),l=CT(e,a),f;try{f=i?MT(e,a,c):this.makeVertexFormat(l.signedType,c,l.normalized)}catch{throw new Error(`Unsupported vertex format: ${e}`)}if(f!==(i?e:t))throw new Error(`Unsupported vertex format: ${e}`);let u={type:a,components:c,byteLength:l.byteLength*c,integer:l.integer,signed:l.signed,normalized:l.normalized};return i&&(u.webglOnly=!0),u}makeVertexFormat(e,t,i){let n=i?ge.getNormalizedDataType(e):e;switch(n){case"unorm8":return t===1?"unorm8":t===3?"unorm8x3-webgl":`${n}x${t}`;case"snorm8":return t===1?"snorm8":t===3?"snorm8x3-webgl":`${n}x${t}`;case"uint8":case"sint8":if(t===3)throw new Error(`size: ${t}`);return t===1?n:`${n}x${t}`;case"uint16":return t===1?"uint16":t===3?"uint16x3-webgl":`${n}x${t}`;case"sint16":return t===1?"sint16":t===3?"sint16x3-webgl":`${n}x${t}`;case"unorm16":return t===1?"unorm16":t===3?"unorm16x3-webgl":`${n}x${t}`;case"snorm16":return t===1?"snorm16":t===3?"snorm16x3-webgl":`${n}x${t}`;case"float16":if(t===3)throw new Error(`size: ${t}`);return t===1?n:`${n}x${t}`;default:return t===1?n:`${n}x${t}`}}getVertexFormatFromAttribute(e,t,i){if(!t||t>4)throw new Error(`size ${t}`);let n=t,o=ge.getDataType(e);return this.makeVertexFormat(o,n,i)}getCompatibleVertexFormat(e){let t;switch(e.primitiveType){case"f32":t="float32";break;case"i32":t="sint32";break;case"u32":t="uint32";break;case"f16":return e.components<=2?"float16x2":"float16x4"}return e.components===1?t:`${t}x${e.components}`}},K=new td});function rc(r){let e=X_[r];if(!e)throw new Error(`Unsupported texture format ${r}`);return e}function Z_(){return X_}var ye,H,St,IT,Ja,rd,ec,id,RT,nd,ar,od,sd,tc,q_,OT,BT,X_,ad=x(()=>{ye="texture-compression-bc",H="texture-compression-astc",St="texture-compression-etc2",IT="texture-compression-etc1-webgl",Ja="texture-compression-pvrtc-webgl",rd="texture-compression-atc-webgl",ec="float32-renderable-webgl",id="float16-renderable-webgl",RT="rgb9e5ufloat-renderable-webgl",nd="snorm8-renderable-webgl",ar="norm16-webgl",od="norm16-renderable-webgl",sd="snorm16-renderable-webgl",tc="float32-filterable",q_="float16-filterable-webgl";OT={r8unorm:{webgpu:527},rg8unorm:{webgpu:527},"rgb8unorm-webgl":{},rgba8unorm:{webgpu:31},"rgba8unorm-srgb":{webgpu:15},r8snorm:{render:nd,webgpu:837},rg8snorm:{render:nd,webgpu:837},"rgb8snorm-webgl":{},rgba8snorm:{render:nd,webgpu:341},r8uint:{webgpu:515},rg8uint:{webgpu:515},rgba8uint:{webgpu:19},r8sint:{webgpu:515},rg8sint:{webgpu:515},rgba8sint:{webgpu:19},bgra8unorm:{webgpu:15},"bgra8unorm-srgb":{webgpu:15360},r16unorm:{f:ar,render:od,webgpu:992},rg16unorm:{f:ar,render:od,webgpu:992},"rgb16unorm-webgl":{f:ar,render:!1},rgba16unorm:{f:ar,render:od,webgpu:992},r16snorm:{f:ar,render:sd,webgpu:992},rg16snorm:{f:ar,render:sd,webgpu:992},"rgb16snorm-webgl":{f:ar,render:!1},rgba16snorm:{f:ar,render:sd,webgpu:992},r16uint:{webgpu:515},rg16uint:{webgpu:515},rgba16uint:{webgpu:19},r16sint:{webgpu:515},rg16sint:{webgpu:515},rgba16sint:{webgpu:19},r16float:{render:id,filter:"float16-filterable-webgl",webgpu:527},rg16float:{render:id,filter:q_,webgpu:527},rgba16float:{render:id,filter:q_,webgpu:31},r32uint:{webgpu:19},rg32uint:{webgpu:16387},rgba32uint:{webgpu:19},r32sint:{webgpu:19},rg32sint:{webgpu:16387},rgba32sint:{webgpu:19},r32float:{render:ec,filter:tc,webgpu:19},rg32float:{render:!1,filter:tc,webgpu:16387},"rgb32float-webgl":{render:ec,filter:tc},rgba32float:{render:ec,filter:tc,webgpu:19},"rgba4unorm-webgl":{channels:"rgba",bitsPerChannel:[4,4,4,4],packed:!0},"rgb565unorm-webgl":{channels:"rgb",bitsPerChannel:[5,6,5,0],packed:!0},"rgb5a1unorm-webgl":{channels:"rgba",bitsPerChannel:[5,5,5,1],packed:!0},rgb9e5ufloat:{channels:"rgb",packed:!0,render:RT,webgpu:5},rg11b10ufloat:{channels:"rgb",bitsPerChannel:[11,11,10,0],packed:!0,p:1,render:ec,webgpu:517},rgb10a2unorm:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1,webgpu:527},rgb10a2uint:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1,webgpu:515},stencil8:{attachment:"stencil",bitsPerChannel:[8,0,0,0],dataType:"uint8",webgpu:3},depth16unorm:{attachment:"depth",bitsPerChannel:[16,0,0,0],dataType:"uint16",webgpu:3},depth24plus:{attachment:"depth",bitsPerChannel:[24,0,0,0],dataType:"uint32",webgpu:3},depth32float:{attachment:"depth",bitsPerChannel:[32,0,0,0],dataType:"float32",webgpu:3},"depth24plus-stencil8":{attachment:"depth-stencil",bitsPerChannel:[24,8,0,0],packed:!0,webgpu:3},"depth32float-stencil8":{attachment:"depth-stencil",bitsPerChannel:[32,8,0,0],packed:!0,f:"depth32float-stencil8",webgpu:3}},BT={"bc1-rgb-unorm-webgl":{f:ye},"bc1-rgb-unorm-srgb-webgl":{f:ye},"bc1-rgba-unorm":{f:ye},"bc1-rgba-unorm-srgb":{f:ye},"bc2-rgba-unorm":{f:ye},"bc2-rgba-unorm-srgb":{f:ye},"bc3-rgba-unorm":{f:ye},"bc3-rgba-unorm-srgb":{f:ye},"bc4-r-unorm":{f:ye},"bc4-r-snorm":{f:ye},"bc5-rg-unorm":{f:ye},"bc5-rg-snorm":{f:ye},"bc6h-rgb-ufloat":{f:ye},"bc6h-rgb-float":{f:ye},"bc7-rgba-unorm":{f:ye},"bc7-rgba-unorm-srgb":{f:ye},"etc2-rgb8unorm":{f:St},"etc2-rgb8unorm-srgb":{f:St},"etc2-rgb8a1unorm":{f:St},"etc2-rgb8a1unorm-srgb":{f:St},"etc2-rgba8unorm":{f:St},"etc2-rgba8unorm-srgb":{f:St},"eac-r11unorm":{f:St},"eac-r11snorm":{f:St},"eac-rg11unorm":{f:St},"eac-rg11snorm":{f:St},"astc-4x4-unorm":{f:H},"astc-4x4-unorm-srgb":{f:H},"astc-5x4-unorm":{f:H},"astc-5x4-unorm-srgb":{f:H},"astc-5x5-unorm":{f:H},"astc-5x5-unorm-srgb":{f:H},"astc-6x5-unorm":{f:H},"astc-6x5-unorm-srgb":{f:H},"astc-6x6-unorm":{f:H},"astc-6x6-unorm-srgb":{f:H},"astc-8x5-unorm":{f:H},"astc-8x5-unorm-srgb":{f:H},"astc-8x6-unorm":{f:H},"astc-8x6-unorm-srgb":{f:H},"astc-8x8-unorm":{f:H},"astc-8x8-unorm-srgb":{f:H},"astc-10x5-unorm":{f:H},"astc-10x5-unorm-srgb":{f:H},"astc-10x6-unorm":{f:H},"astc-10x6-unorm-srgb":{f:H},"astc-10x8-unorm":{f:H},"astc-10x8-unorm-srgb":{f:H},"astc-10x10-unorm":{f:H},"astc-10x10-unorm-srgb":{f:H},"astc-12x10-unorm":{f:H},"astc-12x10-unorm-srgb":{f:H},"astc-12x12-unorm":{f:H},"astc-12x12-unorm-srgb":{f:H},"pvrtc-rgb4unorm-webgl":{f:Ja},"pvrtc-rgba4unorm-webgl":{f:Ja},"pvrtc-rgb2unorm-webgl":{f:Ja},"pvrtc-rgba2unorm-webgl":{f:Ja},"etc1-rbg-unorm-webgl":{f:IT},"atc-rgb-unorm-webgl":{f:rd},"atc-rgba-unorm-webgl":{f:rd},"atc-rgbai-unorm-webgl":{f:rd}},X_={...OT,...BT}});function UT({format:r,width:e,height:t,depth:i,byteAlignment:n}){let o=Ae.getInfo(r),{bytesPerPixel:s,bytesPerBlock:a=s,blockWidth:c=1,blockHeight:l=1,compressed:f=!1}=o,u=f?Math.ceil(e/c):e,d=f?Math.ceil(t/l):t,h=u*a,p=Math.ceil(h/n)*n,g=d,m=p*g*i;return{bytesPerPixel:s,bytesPerRow:p,rowsPerImage:g,depthOrArrayLayers:i,bytesPerImage:p*g,byteLength:m}}function GT(r){let e=rc(r),t={format:r,create:e.f??!0,render:e.render??!0,filter:e.filter??!0,blend:e.blend??!0,store:e.store??!0},i=K_(r),n=r.startsWith("depth")||r.startsWith("stencil"),o=i?.signed,s=i?.integer,a=i?.webgl,c=!!i?.compressed;return t.render&&=!n&&!c,t.filter&&=!n&&!o&&!s&&!a,t}function K_(r){let e=VT(r);if(Ae.isCompressed(r)){e.channels="rgb",e.components=3,e.bytesPerPixel=1,e.srgb=!1,e.compressed=!0,e.bytesPerBlock=WT(r);let i=$T(r);i&&(e.blockWidth=i.blockWidth,e.blockHeight=i.blockHeight)}let t=e.packed?null:DT.exec(r);if(t){let[,i,n,o,s,a]=t,c=`${o}${n}`,l=ge.getDataTypeInfo(c),f=l.byteLength*8,u=i?.length??1,d=[f,u>=2?f:0,u>=3?f:0,u>=4?f:0];e={format:r,attachment:e.attachment,dataType:l.signedType,components:u,channels:i,integer:l.integer,signed:l.signed,normalized:l.normalized,bitsPerChannel:d,bytesPerPixel:l.byteLength*u,packed:e.packed,srgb:e.srgb},a==="-webgl"&&(e.webgl=!0),s==="-srgb"&&(e.srgb=!0)}return r.endsWith("-webgl")&&(e.webgl=!0),r.endsWith("-srgb")&&(e.srgb=!0),e}function VT(r){let e={...rc(r)},t=e.bytesPerPixel||1,i=e.bitsPerChannel||[8,8,8,8];return delete e.bitsPerChannel,delete e.bytesPerPixel,delete e.f,delete e.render,delete e.filter,delete e.blend,delete e.store,delete e.webgpu,{...e,format:r,attachment:e.attachment||"color",channels:e.channels||"r",components:e.components||e.channels?.length||1,bytesPerPixel:t,bitsPerChannel:i,dataType:e.dataType||"uint8",srgb:e.srgb??!1,packed:e.packed??!1,webgl:e.webgl??!1,integer:e.integer??!1,signed:e.signed??!1,normalized:e.normalized??!1,compressed:e.compressed??!1}}function $T(r){let t=/.*-(\d+)x(\d+)-.*/.exec(r);if(t){let[,i,n]=t;return{blockWidth:Number(i),blockHeight:Number(n)}}return r.startsWith("bc")||r.startsWith("etc1")||r.startsWith("etc2")||r.startsWith("eac")||r.startsWith("atc")?{blockWidth:4,blockHeight:4}:r.startsWith("pvrtc-rgb4")||r.startsWith("pvrtc-rgba4")?{blockWidth:4,blockHeight:4}:r.startsWith("pvrtc-rgb2")||r.startsWith("pvrtc-rgba2")?{blockWidth:8,blockHeight:4}:null}function WT(r){return r.startsWith("bc1")||r.startsWith("bc4")||r.startsWith("etc1")||r.startsWith("etc2-rgb8")||r.startsWith("etc2-rgb8a1")||r.startsWith("eac-r11")||r==="atc-rgb-unorm-webgl"?8:r.startsWith("bc2")||r.startsWith("bc3")||r.startsWith("bc5")||r.startsWith("bc6h")||r.startsWith("bc7")||r.startsWith("etc2-rgba8")||r.startsWith("eac-rg11")||r.startsWith("astc")||r==="atc-rgba-unorm-webgl"||r==="atc-rgbai-unorm-webgl"?16:r.startsWith("pvrtc")?8:16}var DT,kT,NT,FT,zT,cd,Ae,ic=x(()=>{Qa();ad();DT=/^(r|rg|rgb|rgba|bgra)([0-9]*)([a-z]*)(-srgb)?(-webgl)?$/,kT=["rgb","rgba","bgra"],NT=["depth","stencil"],FT=5,zT=["bc1","bc2","bc3","bc4","bc5","bc6","bc7","etc1","etc2","eac","atc","astc","pvrtc"],cd=class{isColor(e){return kT.some(t=>e.startsWith(t))}isDepthStencil(e){return NT.some(t=>e.startsWith(t))}isCompressed(e){return zT.some(t=>e.startsWith(t))}getInfo(e){return K_(e)}getCapabilities(e){return GT(e)}getWebGPUCapabilities(e){let t=rc(e);return t.webgpu!==void 0?t.webgpu:this.isCompressed(e)&&!e.endsWith("-webgl")?FT:0}computeMemoryLayout(e){return UT(e)}},Ae=new cd});function Q_(r){return typeof ImageData<"u"&&r instanceof ImageData||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof HTMLImageElement<"u"&&r instanceof HTMLImageElement||typeof HTMLVideoElement<"u"&&r instanceof HTMLVideoElement||typeof VideoFrame<"u"&&r instanceof VideoFrame||typeof HTMLCanvasElement<"u"&&r instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas}function J_(r){if(typeof ImageData<"u"&&r instanceof ImageData||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof HTMLCanvasElement<"u"&&r instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas)return{width:r.width,height:r.height};if(typeof HTMLImageElement<"u"&&r instanceof HTMLImageElement)return{width:r.naturalWidth,height:r.naturalHeight};if(typeof HTMLVideoElement<"u"&&r instanceof HTMLVideoElement)return{width:r.videoWidth,height:r.videoHeight};if(typeof VideoFrame<"u"&&r instanceof VideoFrame)return{width:r.displayWidth,height:r.displayHeight};throw new Error("Unknown image type")}var ey=x(()=>{});function jT(r,e){let t=ld(r),i=e.map(ld).filter(n=>n!==void 0);return[t,...i].filter(n=>n!==void 0)}function ld(r){if(r!==void 0){if(r===null||typeof r=="string"||typeof r=="number"||typeof r=="boolean")return r;if(r instanceof Error)return r.message;if(Array.isArray(r))return r.map(ld);if(typeof r=="object"){if(HT(r)){let e=String(r);if(e!=="[object Object]")return e}return YT(r)?qT(r):r.constructor?.name||"Object"}return String(r)}}function HT(r){return"toString"in r&&typeof r.toString=="function"&&r.toString!==Object.prototype.toString}function YT(r){return"message"in r&&"type"in r}function qT(r){let e=typeof r.type=="string"?r.type:"message",t=typeof r.message=="string"?r.message:"",i=typeof r.lineNum=="number"?r.lineNum:null,n=typeof r.linePos=="number"?r.linePos:null,o=i!==null&&n!==null?` @ ${i}:${n}`:i!==null?` @ ${i}`:"";return`${e}${o}: ${t}`.trim()}function fd(){if(typeof HTMLCanvasElement>"u")return!1;let r=HTMLCanvasElement.prototype;return"layoutSubtree"in r&&typeof r.requestPaint=="function"}var ro,io,jt,ty=x(()=>{Zu();Ce();Bi();Za();to();ic();ey();ad();Yu();ro=class{};io=class{features;disabledFeatures;constructor(e=[],t){this.features=new Set(e),this.disabledFeatures=t||{}}*[Symbol.iterator](){yield*this.features}has(e){return!this.disabledFeatures?.[e]&&this.features.has(e)}};jt=class r{static defaultProps={...Ha};get[Symbol.toStringTag](){return"Device"}toString(){return`Device(${this.id})`}toJSON(){return this.toString()}id;props;userData={};statsManager=Ya;_factories={};timestamp=0;_reused=!1;_moduleData={};wgslLanguageFeatures=new Set;_textureCaps={};_debugGPUTimeQuery=null;constructor(e){this.props={...r.defaultProps,...e},this.id=this.props.id||Et(this[Symbol.toStringTag].toLowerCase())}getVertexFormatInfo(e){return K.getVertexFormatInfo(e)}isVertexFormatSupported(e){return!0}getTextureFormatInfo(e){return Ae.getInfo(e)}getTextureFormatCapabilities(e){let t=this._textureCaps[e];if(!t){let i=this._getDeviceTextureFormatCapabilities(e);t=this._getDeviceSpecificTextureFormatCapabilities(i),this._textureCaps[e]=t}return t}getMipLevelCount(e,t,i=1){let n=Math.max(e,t,i);return 1+Math.floor(Math.log2(n))}isExternalImage(e){return Q_(e)}getExternalImageSize(e){return J_(e)}isTextureFormatSupported(e){return this.getTextureFormatCapabilities(e).create}isTextureFormatFilterable(e){return this.getTextureFormatCapabilities(e).filter}isTextureFormatRenderable(e){return this.getTextureFormatCapabilities(e).render}isTextureFormatCompressed(e){return Ae.isCompressed(e)}getSupportedCompressedTextureFormats(){let e=[];for(let t of Object.keys(Z_()))this.isTextureFormatCompressed(t)&&this.isTextureFormatSupported(t)&&e.push(t);return e}pushDebugGroup(e){this.commandEncoder.pushDebugGroup(e)}popDebugGroup(){this.commandEncoder?.popDebugGroup()}insertDebugMarker(e){this.commandEncoder?.insertDebugMarker(e)}loseDevice(){return!1}incrementTimestamp(){return this.timestamp++}reportError(e,t,...i){if(!this.props.onError(e,t)){let o=jT(t,i);return E.error(this.type==="webgl"?"%cWebGL":"%cWebGPU","color: white; background: red; padding: 2px 6px; border-radius: 3px;",e.message,...o)}return()=>{}}debug(){if(this.props.debug)debugger;else E.once(0,`'Type luma.log.set({debug: true}) in console to enable debug breakpoints',
or create a device with the 'debug: true' prop.`)()}getDefaultCanvasContext(){if(!this.canvasContext)throw new Error("Device has no default CanvasContext. See props.createCanvasContext");return this.canvasContext}createFence(){throw new Error("createFence() not implemented")}beginRenderPass(e){return this.commandEncoder.beginRenderPass(e)}beginComputePass(e){return this.commandEncoder.beginComputePass(e)}writeBufferViaCommandEncoder(e,t,i,n=0){throw new Error("writeBufferViaCommandEncoder() not implemented")}generateMipmapsWebGPU(e){throw new Error("not implemented")}_createSharedRenderPipelineWebGL(e){throw new Error("_createSharedRenderPipelineWebGL() not implemented")}_createBindGroupLayoutWebGPU(e,t){throw new Error("_createBindGroupLayoutWebGPU() not implemented")}_createBindGroupWebGPU(e,t,i,n,o){throw new Error("_createBindGroupWebGPU() not implemented")}_supportsDebugGPUTime(){return this.features.has("timestamp-query")&&!!(this.props.debug||this.props.debugGPUTime)}_enableDebugGPUTime(e=256){if(!this._supportsDebugGPUTime())return null;if(this._debugGPUTimeQuery)return this._debugGPUTimeQuery;try{this._debugGPUTimeQuery=this.createQuerySet({type:"timestamp",count:e}),this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id,timeProfilingQuerySet:this._debugGPUTimeQuery})}catch{this._debugGPUTimeQuery=null}return this._debugGPUTimeQuery}_disableDebugGPUTime(){this._debugGPUTimeQuery&&(this.commandEncoder.getTimeProfilingQuerySet()===this._debugGPUTimeQuery&&(this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id})),this._debugGPUTimeQuery.destroy(),this._debugGPUTimeQuery=null)}_isDebugGPUTimeEnabled(){return this._debugGPUTimeQuery!==null}getCanvasContext(){return this.getDefaultCanvasContext()}readPixelsToArrayWebGL(e,t){throw new Error("not implemented")}readPixelsToBufferWebGL(e,t){throw new Error("not implemented")}setParametersWebGL(e){throw new Error("not implemented")}getParametersWebGL(e){throw new Error("not implemented")}withParametersWebGL(e,t){throw new Error("not implemented")}clearWebGL(e){throw new Error("not implemented")}resetWebGL(){throw new Error("not implemented")}getModuleData(e){return this._moduleData[e]||={},this._moduleData[e]}static _getCanvasContextProps(e){return e.createCanvasContext===!0?{}:e.createCanvasContext}_getDeviceTextureFormatCapabilities(e){let t=Ae.getCapabilities(e),i=o=>(typeof o=="string"?this.features.has(o):o)??!0,n=i(t.create);return{format:e,create:n,render:n&&i(t.render),filter:n&&i(t.filter),blend:n&&i(t.blend),store:n&&i(t.store)}}_normalizeBufferProps(e){(e instanceof ArrayBuffer||ArrayBuffer.isView(e))&&(e={data:e});let t={...e};if((e.usage||0)&F.INDEX&&(e.indexType||(e.data instanceof Uint32Array?t.indexType="uint32":e.data instanceof Uint16Array?t.indexType="uint16":e.data instanceof Uint8Array&&(t.data=new Uint16Array(e.data),t.indexType="uint16")),!t.indexType))throw new Error("indices buffer content must be of type uint16 or uint32");return t}}});var nc,ry=x(()=>{nc=class{props;_resizeObserver;_intersectionObserver;_observeDevicePixelRatioTimeout=null;_observeDevicePixelRatioMediaQuery=null;_handleDevicePixelRatioChange=()=>this._refreshDevicePixelRatio();_trackPositionInterval=null;_started=!1;get started(){return this._started}constructor(e){this.props=e}start(){if(this._started||!this.props.canvas)return;this._started=!0,this._intersectionObserver||=new IntersectionObserver(t=>this.props.onIntersection(t)),this._resizeObserver||=new ResizeObserver(t=>this.props.onResize(t)),this._intersectionObserver.observe(this.props.canvas);let e=this.props.resizeObserverBox;try{this._resizeObserver.observe(this.props.canvas,{box:e})}catch{this._resizeObserver.observe(this.props.canvas,{box:"content-box"})}this._observeDevicePixelRatioTimeout=setTimeout(()=>this._refreshDevicePixelRatio(),0),this.props.trackPosition&&this._trackPosition()}stop(){this._started&&(this._started=!1,this._observeDevicePixelRatioTimeout&&(clearTimeout(this._observeDevicePixelRatioTimeout),this._observeDevicePixelRatioTimeout=null),this._observeDevicePixelRatioMediaQuery&&(this._observeDevicePixelRatioMediaQuery.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=null),this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null),this._resizeObserver?.disconnect(),this._intersectionObserver?.disconnect())}_refreshDevicePixelRatio(){this._started&&(this.props.onDevicePixelRatioChange(),this._observeDevicePixelRatioMediaQuery?.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`),this._observeDevicePixelRatioMediaQuery.addEventListener("change",this._handleDevicePixelRatioChange,{once:!0}))}_trackPosition(e=100){this._trackPositionInterval||(this._trackPositionInterval=setInterval(()=>{this._started?this.props.onPositionChange():this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null)},e))}}});function iy(){let r,e;return{promise:new Promise((i,n)=>{r=i,e=n}),resolve:r,reject:e}}var ny=x(()=>{});function cr(r,e){if(!r){let t=new Error(e??"luma.gl assertion failed.");throw Error.captureStackTrace?.(t,cr),t}}function lr(r,e){return cr(r,e),r}var ud=x(()=>{});function ZT(r){if(typeof r=="string"){let e=document.getElementById(r);if(!e)throw new Error(`${r} is not an HTML element`);return e}return r||document.body}function XT(r){let e=document.getElementById(r);if(!fr.isHTMLCanvas(e))throw new Error("Object is not a canvas element");return e}function KT(r){let{width:e,height:t}=r,i=document.createElement("canvas");i.id=Et("lumagl-auto-created-canvas"),i.width=e||1,i.height=t||1,i.style.width=Number.isFinite(e)?`${e}px`:"100%",i.style.height=Number.isFinite(t)?`${t}px`:"100%",r?.visible||(i.style.visibility="hidden");let n=ZT(r?.container||null);return n.insertBefore(i,n.firstChild),i}function QT(r,e,t,i,n){let o=r,s=oy(o[0],e,t),a=sy(o[1],e,i,n),c=oy(o[0]+1,e,t),l=c===t-1?c:c-1;c=sy(o[1]+1,e,i,n);let f;return n?(c=c===0?c:c+1,f=a,a=c):f=c===i-1?c:c-1,{x:s,y:a,width:Math.max(l-s+1,1),height:Math.max(f-a+1,1)}}function oy(r,e,t){return Math.min(Math.round(r*e),t-1)}function sy(r,e,t,i){return i?Math.max(0,t-1-Math.round(r*e)):Math.min(Math.round(r*e),t-1)}var fr,dd=x(()=>{Ir();ry();Bi();ny();ud();fr=class r{static isHTMLCanvas(e){return typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement}static isOffscreenCanvas(e){return typeof OffscreenCanvas<"u"&&e instanceof OffscreenCanvas}static defaultProps={id:void 0,canvas:null,width:800,height:600,useDevicePixels:!0,pixelSizeSource:"exact",autoResize:!0,container:null,visible:!0,alphaMode:"opaque",colorSpace:"srgb",colorFormat:void 0,toneMapping:"standard",trackPosition:!1};id;props;canvas;htmlCanvas;offscreenCanvas;type;initialized;isInitialized=!1;isVisible=!0;cssWidth;cssHeight;devicePixelRatio;devicePixelWidth;devicePixelHeight;drawingBufferWidth;drawingBufferHeight;_initializedResolvers=iy();_canvasObserver;_position=[0,0];destroyed=!1;_needsDrawingBufferResize=!0;_configuredDrawingBufferSize=[0,0];toString(){return`${this[Symbol.toStringTag]}(${this.id})`}constructor(e){this.props={...r.defaultProps,...e},e=this.props,this.initialized=this._initializedResolvers.promise,Fe()?e.canvas?typeof e.canvas=="string"?this.canvas=XT(e.canvas):this.canvas=e.canvas:this.canvas=KT(e):this.canvas={width:e.width||1,height:e.height||1},r.isHTMLCanvas(this.canvas)?(this.id=e.id||this.canvas.id,this.type="html-canvas",this.htmlCanvas=this.canvas):r.isOffscreenCanvas(this.canvas)?(this.id=e.id||"offscreen-canvas",this.type="offscreen-canvas",this.offscreenCanvas=this.canvas):(this.id=e.id||"node-canvas-context",this.type="node"),this.cssWidth=this.htmlCanvas?.clientWidth||this.canvas.width,this.cssHeight=this.htmlCanvas?.clientHeight||this.canvas.height,this.devicePixelWidth=this.canvas.width,this.devicePixelHeight=this.canvas.height,this.drawingBufferWidth=this.canvas.width,this.drawingBufferHeight=this.canvas.height,this._configuredDrawingBufferSize=[this.canvas.width,this.canvas.height],this.devicePixelRatio=globalThis.devicePixelRatio||1,this._position=[0,0],this._canvasObserver=new nc({canvas:this.htmlCanvas,trackPosition:this.props.trackPosition,resizeObserverBox:this.props.pixelSizeSource==="css-dpr"?"content-box":"device-pixel-content-box",onResize:t=>this._handleResize(t),onIntersection:t=>this._handleIntersection(t),onDevicePixelRatioChange:()=>this._observeDevicePixelRatio(),onPositionChange:()=>this.updatePosition()})}destroy(){this.destroyed||(this.destroyed=!0,this._stopObservers(),this.device=null)}setProps(e){return"useDevicePixels"in e&&(this.props.useDevicePixels=e.useDevicePixels||!1,this._updateDrawingBufferSize()),this}getCurrentFramebuffer(e){return this._resizeDrawingBufferIfNeeded(),this._getCurrentFramebuffer(e)}getCSSSize(){return[this.cssWidth,this.cssHeight]}getPosition(){return this._position}getDevicePixelSize(){return[this.devicePixelWidth,this.devicePixelHeight]}getDrawingBufferSize(){return[this.drawingBufferWidth,this.drawingBufferHeight]}getMaxDrawingBufferSize(){let e=this.device.limits.maxTextureDimension2D;return[e,e]}setDrawingBufferSize(e,t){e=Math.floor(e),t=Math.floor(t),!(this.drawingBufferWidth===e&&this.drawingBufferHeight===t)&&(this.drawingBufferWidth=e,this.drawingBufferHeight=t,this._needsDrawingBufferResize=!0)}getDevicePixelRatio(){return typeof window<"u"&&window.devicePixelRatio||1}cssToDevicePixels(e,t=!0){let i=this.cssToDeviceRatio(),[n,o]=this.getDrawingBufferSize();return QT(e,i,n,o,t)}getPixelSize(){return this.getDevicePixelSize()}getAspect(){let[e,t]=this.getDrawingBufferSize();return e>0&&t>0?e/t:1}cssToDeviceRatio(){try{let[e]=this.getDrawingBufferSize(),[t]=this.getCSSSize();return t?e/t:1}catch{return 1}}resize(e){this.setDrawingBufferSize(e.width,e.height)}_setAutoCreatedCanvasId(e){this.htmlCanvas?.id==="lumagl-auto-created-canvas"&&(this.htmlCanvas.id=e)}_startObservers(){this.destroyed||this._canvasObserver.start()}_stopObservers(){this._canvasObserver.stop()}_handleIntersection(e){if(this.destroyed)return;let t=e.find(n=>n.target===this.canvas);if(!t)return;let i=t.isIntersecting;this.isVisible!==i&&(this.isVisible=i,this.device.props.onVisibilityChange(this))}_handleResize(e){if(this.destroyed)return;let t=e.find(o=>o.target===this.canvas);if(!t)return;let i=lr(t.contentBoxSize?.[0]);this.cssWidth=i.inlineSize,this.cssHeight=i.blockSize;let n=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromResizeEntry(t)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:n})}_updateDrawingBufferSize(){if(this.props.autoResize)if(typeof this.props.useDevicePixels=="number"){let e=this.props.useDevicePixels;this.setDrawingBufferSize(this.cssWidth*e,this.cssHeight*e)}else this.props.useDevicePixels?this.setDrawingBufferSize(this.devicePixelWidth,this.devicePixelHeight):this.setDrawingBufferSize(this.cssWidth,this.cssHeight);this._initializedResolvers.resolve(),this.isInitialized=!0,this.updatePosition()}_getDevicePixelSizeFromResizeEntry(e){let t=lr(e.contentBoxSize?.[0]);return this.props.pixelSizeSource==="css-dpr"?this._getDevicePixelSizeFromCSSSize(t.inlineSize,t.blockSize):{devicePixelWidth:e.devicePixelContentBoxSize?.[0]?.inlineSize||t.inlineSize*devicePixelRatio,devicePixelHeight:e.devicePixelContentBoxSize?.[0]?.blockSize||t.blockSize*devicePixelRatio}}_getDevicePixelSizeFromCSSSize(e,t){let i=this.getDevicePixelRatio();return{devicePixelWidth:Math.floor(e*i),devicePixelHeight:Math.floor(t*i)}}_setDevicePixelSize({devicePixelWidth:e,devicePixelHeight:t}){let[i,n]=this.getMaxDrawingBufferSize();this.devicePixelWidth=Math.max(1,Math.min(e,i)),this.devicePixelHeight=Math.max(1,Math.min(t,n))}_resizeDrawingBufferIfNeeded(){if(this._needsDrawingBufferResize){this._needsDrawingBufferResize=!1,(this.drawingBufferWidth!==this.canvas.width||this.drawingBufferHeight!==this.canvas.height)&&(this.canvas.width=this.drawingBufferWidth,this.canvas.height=this.drawingBufferHeight);let[t,i]=this._configuredDrawingBufferSize;(this.drawingBufferWidth!==t||this.drawingBufferHeight!==i)&&(this._configureDevice(),this._configuredDrawingBufferSize=[this.drawingBufferWidth,this.drawingBufferHeight])}}_observeDevicePixelRatio(){if(this.destroyed||!this._canvasObserver.started)return;let e=this.devicePixelRatio;if(this.devicePixelRatio=window.devicePixelRatio,this.props.pixelSizeSource==="css-dpr"){let t=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromCSSSize(this.cssWidth,this.cssHeight)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:t})}this.updatePosition(),this.device.props.onDevicePixelRatioChange?.(this,{oldRatio:e})}updatePosition(){if(this.destroyed)return;let e=this.htmlCanvas?.getBoundingClientRect();if(e){let t=[e.left,e.top];if(this._position??=t,t[0]!==this._position[0]||t[1]!==this._position[1]){let n=this._position;this._position=t,this.device.props.onPositionChange?.(this,{oldPosition:n})}}}}});var no,ay=x(()=>{dd();no=class extends fr{static defaultProps=fr.defaultProps}});var oo,cy=x(()=>{dd();oo=class extends fr{}});var Ur,hd=x(()=>{ce();Ur=class r extends k{static defaultProps={...k.defaultProps,type:"color-sampler",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge",addressModeW:"clamp-to-edge",magFilter:"nearest",minFilter:"nearest",mipmapFilter:"none",lodMinClamp:0,lodMaxClamp:32,compare:"less-equal",maxAnisotropy:1};get[Symbol.toStringTag](){return"Sampler"}constructor(e,t){t=r.normalizeProps(e,t),super(e,t,r.defaultProps)}static normalizeProps(e,t){return t}}});var JT,V,pd=x(()=>{ce();hd();Ce();ic();JT={"1d":"1d","2d":"2d","2d-array":"2d",cube:"2d","cube-array":"2d","3d":"3d"},V=class r extends k{static SAMPLE=4;static STORAGE=8;static RENDER=16;static COPY_SRC=1;static COPY_DST=2;static TEXTURE=4;static RENDER_ATTACHMENT=16;dimension;baseDimension;format;width;height;depth;mipLevels;samples;byteAlignment;ready=Promise.resolve(this);isReady=!0;updateTimestamp;get[Symbol.toStringTag](){return"Texture"}toString(){return`Texture(${this.id},${this.format},${this.width}x${this.height})`}constructor(e,t,i){if(t=r.normalizeProps(e,t),super(e,t,r.defaultProps),this.dimension=this.props.dimension,this.baseDimension=JT[this.dimension],this.format=this.props.format,this.width=this.props.width,this.height=this.props.height,this.depth=this.props.depth,this.mipLevels=this.props.mipLevels,this.samples=this.props.samples||1,this.dimension==="cube"&&(this.depth=6),this.props.width===void 0||this.props.height===void 0)if(e.isExternalImage(t.data)){let n=e.getExternalImageSize(t.data);this.width=n?.width||1,this.height=n?.height||1}else this.width=1,this.height=1,(this.props.width===void 0||this.props.height===void 0)&&E.warn(`${this} created with undefined width or height. This is deprecated. Use DynamicTexture instead.`)();this.byteAlignment=i?.byteAlignment||1,this.updateTimestamp=e.incrementTimestamp()}clone(e){return this.device.createTexture({...this.props,...e})}setSampler(e){this.sampler=e instanceof Ur?e:this.device.createSampler(e)}copyImageData(e){let{data:t,depth:i,...n}=e;this.writeData(t,{...n,depthOrArrayLayers:n.depthOrArrayLayers??i})}computeMemoryLayout(e={}){let t=this._normalizeTextureReadOptions(e),{width:i=this.width,height:n=this.height,depthOrArrayLayers:o=this.depth}=t,{format:s,byteAlignment:a}=this;return Ae.computeMemoryLayout({format:s,width:i,height:n,depth:o,byteAlignment:a})}readBuffer(e,t){throw new Error("readBuffer not implemented")}readDataAsync(e){throw new Error("readBuffer not implemented")}writeBuffer(e,t){throw new Error("readBuffer not implemented")}writeData(e,t){throw new Error("readBuffer not implemented")}readDataSyncWebGL(e){throw new Error("readDataSyncWebGL not available")}generateMipmapsWebGL(){throw new Error("generateMipmapsWebGL not available")}static normalizeProps(e,t){let i={...t},{width:n,height:o}=i;return typeof n=="number"&&(i.width=Math.max(1,Math.ceil(n))),typeof o=="number"&&(i.height=Math.max(1,Math.ceil(o))),i}_initializeData(e){this.device.isExternalImage(e)?this.copyExternalImage({image:e,width:this.width,height:this.height,depth:this.depth,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1}):e&&this.copyImageData({data:e,mipLevel:0,x:0,y:0,z:0,aspect:"all"})}_normalizeCopyImageDataOptions(e){let{data:t,depth:i,...n}=e,o=this._normalizeTextureWriteOptions({...n,depthOrArrayLayers:n.depthOrArrayLayers??i});return{data:t,depth:o.depthOrArrayLayers,...o}}_normalizeCopyExternalImageOptions(e){let t=r._omitUndefined(e),i=t.mipLevel??0,n=this._getMipLevelSize(i),o=this.device.getExternalImageSize(e.image),s={...r.defaultCopyExternalImageOptions,...n,...o,...t};return s.width=Math.min(s.width,n.width-s.x),s.height=Math.min(s.height,n.height-s.y),s.depth=Math.min(s.depth,n.depthOrArrayLayers-s.z),s}_normalizeCopyElementImageOptions(e){let t=r._omitUndefined(e),i=t.mipLevel??0,n=this._getMipLevelSize(i),o={...r.defaultCopyElementImageOptions,...n,...t};return o.width=Math.min(o.width,n.width-o.x),o.height=Math.min(o.height,n.height-o.y),o.depth=Math.min(o.depth,n.depthOrArrayLayers-o.z),o}_normalizeTextureReadOptions(e){let t=r._omitUndefined(e),i=t.mipLevel??0,n=this._getMipLevelSize(i),o={...r.defaultTextureReadOptions,...n,...t};return o.width=Math.min(o.width,n.width-o.x),o.height=Math.min(o.height,n.height-o.y),o.depthOrArrayLayers=Math.min(o.depthOrArrayLayers,n.depthOrArrayLayers-o.z),o}_getSupportedColorReadOptions(e){let t=this._normalizeTextureReadOptions(e),i=Ae.getInfo(this.format);switch(this._validateColorReadAspect(t),this._validateColorReadFormat(i),this.dimension){case"2d":case"cube":case"cube-array":case"2d-array":case"3d":return t;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}}_validateColorReadAspect(e){if(e.aspect!=="all")throw new Error(`${this} color readback only supports aspect 'all'`)}_validateColorReadFormat(e){if(e.compressed)throw new Error(`${this} color readback does not support compressed formats (${this.format})`);switch(e.attachment){case"color":return;case"depth":throw new Error(`${this} color readback does not support depth formats (${this.format})`);case"stencil":throw new Error(`${this} color readback does not support stencil formats (${this.format})`);case"depth-stencil":throw new Error(`${this} color readback does not support depth-stencil formats (${this.format})`);default:throw new Error(`${this} color readback does not support format ${this.format}`)}}_normalizeTextureWriteOptions(e){let t=r._omitUndefined(e),i=t.mipLevel??0,n=this._getMipLevelSize(i),o={...r.defaultTextureWriteOptions,...n,...t};o.width=Math.min(o.width,n.width-o.x),o.height=Math.min(o.height,n.height-o.y),o.depthOrArrayLayers=Math.min(o.depthOrArrayLayers,n.depthOrArrayLayers-o.z);let s=Ae.computeMemoryLayout({format:this.format,width:o.width,height:o.height,depth:o.depthOrArrayLayers,byteAlignment:this.byteAlignment}),a=s.bytesPerPixel*o.width;if(o.bytesPerRow=t.bytesPerRow??s.bytesPerRow,o.rowsPerImage=t.rowsPerImage??o.height,o.bytesPerRow<a)throw new Error(`bytesPerRow (${o.bytesPerRow}) must be at least ${a} for ${this.format}`);if(o.rowsPerImage<o.height)throw new Error(`rowsPerImage (${o.rowsPerImage}) must be at least ${o.height} for ${this.format}`);let c=this.device.getTextureFormatInfo(this.format).bytesPerPixel;if(c&&o.bytesPerRow%c!==0)throw new Error(`bytesPerRow (${o.bytesPerRow}) must be a multiple of bytesPerPixel (${c}) for ${this.format}`);return o}_getMipLevelSize(e){let t=Math.max(1,this.width>>e),i=this.baseDimension==="1d"?1:Math.max(1,this.height>>e),n=this.dimension==="3d"?Math.max(1,this.depth>>e):this.depth;return{width:t,height:i,depthOrArrayLayers:n}}getAllocatedByteLength(){let e=0;for(let t=0;t<this.mipLevels;t++){let{width:i,height:n,depthOrArrayLayers:o}=this._getMipLevelSize(t);e+=Ae.computeMemoryLayout({format:this.format,width:i,height:n,depth:o,byteAlignment:1}).byteLength}return e*this.samples}static _omitUndefined(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t!==void 0))}static defaultProps={...k.defaultProps,data:null,dimension:"2d",format:"rgba8unorm",usage:r.SAMPLE|r.RENDER|r.COPY_DST,width:void 0,height:void 0,depth:1,mipLevels:1,samples:void 0,sampler:{},view:void 0};static defaultCopyDataOptions={data:void 0,byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,width:void 0,height:void 0,depthOrArrayLayers:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all"};static defaultCopyExternalImageOptions={image:void 0,sourceX:0,sourceY:0,width:void 0,height:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1};static defaultCopyElementImageOptions={element:void 0,width:void 0,height:void 0,sourceX:0,sourceY:0,sourceWidth:void 0,sourceHeight:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1};static defaultTextureReadOptions={x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"};static defaultTextureWriteOptions={byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"}}});var Gr,ly=x(()=>{ce();Gr=class r extends k{get[Symbol.toStringTag](){return"TextureView"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...k.defaultProps,format:void 0,dimension:void 0,aspect:"all",baseMipLevel:0,mipLevelCount:void 0,baseArrayLayer:0,arrayLayerCount:void 0}}});var so,fy=x(()=>{ce();so=class r extends k{width;height;updateTimestamp;get[Symbol.toStringTag](){return"ExternalTexture"}constructor(e,t){super(e,t,r.defaultProps);let i=this.props.source?e.getExternalImageSize(this.props.source):null;this.width=this.props.width||i?.width||0,this.height=this.props.height||i?.height||0,this.updateTimestamp=e.incrementTimestamp()}static defaultProps={...k.defaultProps,source:void 0,width:0,height:0,colorSpace:"srgb",sampler:{}}}});function uy(r,e,t){let i="",n=e.split(/\r?\n/),o=r.slice().sort((s,a)=>s.lineNum-a.lineNum);switch(t?.showSourceCode||"no"){case"all":let s=0;for(let a=1;a<=n.length;a++){let c=n[a-1],l=o[s];for(c&&l&&(i+=dy(c,a,t));o.length>s&&l.lineNum===a;){let f=o[s++];f&&(i+=gd(f,n,f.lineNum,{...t,inlineSource:!1}))}}for(;o.length>s;){let a=o[s++];a&&(i+=gd(a,[],0,{...t,inlineSource:!1}))}return i;case"issues":case"no":for(let a of r)i+=gd(a,n,a.lineNum,{inlineSource:t?.showSourceCode!=="no"});return i}}function gd(r,e,t,i){if(i?.inlineSource){let o=eL(e,t),s=r.linePos>0?`${" ".repeat(r.linePos+5)}^^^
`:"";return`
${o}${s}${r.type.toUpperCase()}: ${r.message}

`}let n=r.type==="error"?"red":"orange";return i?.html?`<div class='luma-compiler-log-${r.type}' style="color:${n};"><b> ${r.type.toUpperCase()}: ${r.message}</b></div>`:`${r.type.toUpperCase()}: ${r.message}`}function eL(r,e,t){let i="";for(let n=e-2;n<=e;n++){let o=r[n-1];o!==void 0&&(i+=dy(o,e,t))}return i}function dy(r,e,t){let i=t?.html?rL(r):r;return`${tL(String(e),4)}: ${i}${t?.html?"<br/>":`
`}`}function tL(r,e){let t="";for(let i=r.length;i<e;++i)t+=" ";return t+r}function rL(r){return r.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#039;")}var hy=x(()=>{});function iL(r){return nL(r.source)||r.id||Et(`unnamed ${r.stage}-shader`)}function nL(r,e="unnamed"){return/#define[\s*]SHADER_NAME[\s*]([A-Za-z0-9_-]+)[\s*]/.exec(r)?.[1]??e}var Vr,md=x(()=>{ce();Ce();Bi();hy();Vr=class r extends k{get[Symbol.toStringTag](){return"Shader"}stage;source;compilationStatus="pending";constructor(e,t){t={...t,debugShaders:t.debugShaders||e.props.debugShaders||"errors"},super(e,{id:iL(t),...t},r.defaultProps),this.stage=this.props.stage,this.source=this.props.source}getCompilationInfoSync(){return null}getTranslatedSource(){return null}async debugShader(){let e=this.props.debugShaders;switch(e){case"never":return;case"errors":if(this.compilationStatus==="success")return;break;case"warnings":case"always":break}try{let t=await this.getCompilationInfo();if(e==="warnings"&&t?.length===0)return;this._displayShaderLog(t,this.id)}catch(t){E.warn(`Shader ${this.id}: failed to fetch compilation info during debug logging`,t)()}}_displayShaderLog(e,t){if(typeof document>"u"||!document?.createElement)return;let i=t,n=`${this.stage} shader "${i}"`,o=uy(e,this.source,{showSourceCode:"all",html:!0}),s=this.getTranslatedSource(),a=document.createElement("div");a.innerHTML=`<h1>Compilation error in ${n}</h1>
<div style="display:flex;position:fixed;top:10px;right:20px;gap:2px;">
<button id="copy">Copy source</button><br/>
<button id="close">Close</button>
</div>
<code><pre>${o}</pre></code>`,s&&(a.innerHTML+=`<br /><h1>Translated Source</h1><br /><br /><code><pre>${s}</pre></code>`),a.style.top="0",a.style.left="0",a.style.background="white",a.style.position="fixed",a.style.zIndex="9999",a.style.maxWidth="100vw",a.style.maxHeight="100vh",a.style.overflowY="auto",document.body.appendChild(a),a.querySelector(".luma-compiler-log-error")?.scrollIntoView(),a.querySelector("button#close").onclick=()=>{a.remove()},a.querySelector("button#copy").onclick=()=>{navigator.clipboard.writeText(this.source)}}static defaultProps={...k.defaultProps,language:"auto",stage:void 0,source:"",sourceMap:null,entryPoint:"main",debugShaders:void 0}}});var $r,py=x(()=>{ce();pd();Ce();$r=class r extends k{get[Symbol.toStringTag](){return"Framebuffer"}width;height;constructor(e,t={}){super(e,t,r.defaultProps),this.width=this.props.width,this.height=this.props.height}clone(e){let t=this.colorAttachments.map(n=>n.texture.clone(e)),i=this.depthStencilAttachment&&this.depthStencilAttachment.texture.clone(e);return this.device.createFramebuffer({...this.props,...e,colorAttachments:t,depthStencilAttachment:i})}resize(e){let t=!e;if(e){let[i,n]=Array.isArray(e)?e:[e.width,e.height];t=t||n!==this.height||i!==this.width,this.width=i,this.height=n}t&&(E.log(2,`Resizing framebuffer ${this.id} to ${this.width}x${this.height}`)(),this.resizeAttachments(this.width,this.height))}autoCreateAttachmentTextures(){if(this.props.colorAttachments.length===0&&!this.props.depthStencilAttachment)throw new Error("Framebuffer has noattachments");this.colorAttachments=this.props.colorAttachments.map((t,i)=>{if(typeof t=="string"){let n=this.createColorTexture(t,i);return this.attachResource(n),n.view}return t instanceof V?t.view:t});let e=this.props.depthStencilAttachment;if(e)if(typeof e=="string"){let t=this.createDepthStencilTexture(e);this.attachResource(t),this.depthStencilAttachment=t.view}else e instanceof V?this.depthStencilAttachment=e.view:this.depthStencilAttachment=e}createColorTexture(e,t){return this.device.createTexture({id:`${this.id}-color-attachment-${t}`,usage:V.RENDER_ATTACHMENT,format:e,width:this.width,height:this.height,sampler:{magFilter:"linear",minFilter:"linear"}})}createDepthStencilTexture(e){return this.device.createTexture({id:`${this.id}-depth-stencil-attachment`,usage:V.RENDER_ATTACHMENT|V.SAMPLE,format:e,width:this.width,height:this.height})}resizeAttachments(e,t){if(this.colorAttachments.forEach((i,n)=>{let o=i.texture.clone({width:e,height:t});this.destroyAttachedResource(i),this.colorAttachments[n]=o.view,this.attachResource(o.view)}),this.depthStencilAttachment){let i=this.depthStencilAttachment.texture.clone({width:e,height:t});this.destroyAttachedResource(this.depthStencilAttachment),this.depthStencilAttachment=i.view,this.attachResource(i)}this.updateAttachments()}static defaultProps={...k.defaultProps,width:1,height:1,colorAttachments:[],depthStencilAttachment:null}}});var Ke,_d=x(()=>{ce();Ke=class r extends k{get[Symbol.toStringTag](){return"RenderPipeline"}shaderLayout;bufferLayout;linkStatus="pending";hash="";sharedRenderPipeline=null;get isPending(){return this.linkStatus==="pending"||this.vs.compilationStatus==="pending"||this.fs?.compilationStatus==="pending"}get isErrored(){return this.linkStatus==="error"||this.vs.compilationStatus==="error"||this.fs?.compilationStatus==="error"}constructor(e,t){super(e,t,r.defaultProps),this.shaderLayout=this.props.shaderLayout,this.bufferLayout=this.props.bufferLayout||[],this.sharedRenderPipeline=this.props._sharedRenderPipeline||null}static defaultProps={...k.defaultProps,vs:null,vertexEntryPoint:"vertexMain",vsConstants:{},fs:null,fragmentEntryPoint:"fragmentMain",fsConstants:{},shaderLayout:null,bufferLayout:[],topology:"triangle-list",colorAttachmentFormats:void 0,depthStencilAttachmentFormat:void 0,parameters:{},varyings:void 0,bufferMode:void 0,disableWarnings:!1,_sharedRenderPipeline:void 0,_uniformBlockLayouts:[],bindings:void 0,bindGroups:void 0}}});var ao,gy=x(()=>{ce();ao=class extends k{get[Symbol.toStringTag](){return"SharedRenderPipeline"}constructor(e,t){super(e,t,{...k.defaultProps,handle:void 0,vs:void 0,fs:void 0,varyings:void 0,bufferMode:void 0})}}});var ur,yd=x(()=>{ce();ur=class r extends k{get[Symbol.toStringTag](){return"ComputePipeline"}hash="";shaderLayout;constructor(e,t){super(e,t,r.defaultProps),this.shaderLayout=t.shaderLayout}static defaultProps={...k.defaultProps,shader:void 0,entryPoint:void 0,constants:{},shaderLayout:void 0}}});var Wr,my=x(()=>{yd();_d();Ce();Bi();Wr=class r{static defaultProps={...Ke.defaultProps};static getDefaultPipelineFactory(e){let t=e.getModuleData("@luma.gl/core");return t.defaultPipelineFactory||=new r(e),t.defaultPipelineFactory}device;_hashCounter=0;_hashes={};_renderPipelineCache={};_computePipelineCache={};_sharedRenderPipelineCache={};get[Symbol.toStringTag](){return"PipelineFactory"}toString(){return`PipelineFactory(${this.device.id})`}constructor(e){this.device=e}createRenderPipeline(e){if(!this.device.props._cachePipelines)return this.device.createRenderPipeline(e);let t={...Ke.defaultProps,...e},i=this._renderPipelineCache,n=this._hashRenderPipeline(t),o=i[n]?.resource;if(o)i[n].useCount++,this.device.props.debugFactories&&E.log(3,`${this}: ${i[n].resource} reused, count=${i[n].useCount}, (id=${e.id})`)();else{let s=this.device.type==="webgl"&&this.device.props._sharePipelines?this.createSharedRenderPipeline(t):void 0;o=this.device.createRenderPipeline({...t,id:t.id?`${t.id}-cached`:Et("unnamed-cached"),_sharedRenderPipeline:s}),o.hash=n,i[n]={resource:o,useCount:1},this.device.props.debugFactories&&E.log(3,`${this}: ${o} created, count=${i[n].useCount}`)()}return o}createComputePipeline(e){if(!this.device.props._cachePipelines)return this.device.createComputePipeline(e);let t={...ur.defaultProps,...e},i=this._computePipelineCache,n=this._hashComputePipeline(t),o=i[n]?.resource;return o?(i[n].useCount++,this.device.props.debugFactories&&E.log(3,`${this}: ${i[n].resource} reused, count=${i[n].useCount}, (id=${e.id})`)()):(o=this.device.createComputePipeline({...t,id:t.id?`${t.id}-cached`:void 0}),o.hash=n,i[n]={resource:o,useCount:1},this.device.props.debugFactories&&E.log(3,`${this}: ${o} created, count=${i[n].useCount}`)()),o}release(e){if(!this.device.props._cachePipelines){e.destroy();return}let t=this._getCache(e),i=e.hash;t[i].useCount--,t[i].useCount===0?(this._destroyPipeline(e),this.device.props.debugFactories&&E.log(3,`${this}: ${e} released and destroyed`)()):t[i].useCount<0?(E.error(`${this}: ${e} released, useCount < 0, resetting`)(),t[i].useCount=0):this.device.props.debugFactories&&E.log(3,`${this}: ${e} released, count=${t[i].useCount}`)()}createSharedRenderPipeline(e){let t=this._hashSharedRenderPipeline(e),i=this._sharedRenderPipelineCache[t];return i||(i={resource:this.device._createSharedRenderPipelineWebGL(e),useCount:0},this._sharedRenderPipelineCache[t]=i),i.useCount++,i.resource}releaseSharedRenderPipeline(e){if(!e.sharedRenderPipeline)return;let t=this._hashSharedRenderPipeline(e.sharedRenderPipeline.props),i=this._sharedRenderPipelineCache[t];i&&(i.useCount--,i.useCount===0&&(i.resource.destroy(),delete this._sharedRenderPipelineCache[t]))}_destroyPipeline(e){let t=this._getCache(e);return this.device.props._destroyPipelines?(delete t[e.hash],e.destroy(),e instanceof Ke&&this.releaseSharedRenderPipeline(e),!0):!1}_getCache(e){let t;if(e instanceof ur&&(t=this._computePipelineCache),e instanceof Ke&&(t=this._renderPipelineCache),!t)throw new Error(`${this}`);if(!t[e.hash])throw new Error(`${this}: ${e} matched incorrect entry`);return t}_hashComputePipeline(e){let{type:t}=this.device,i=this._getHash(e.shader.source),n=this._getHash(JSON.stringify(e.shaderLayout));return`${t}/C/${i}SL${n}`}_hashRenderPipeline(e){let t=e.vs?this._getHash(e.vs.source):0,i=e.fs?this._getHash(e.fs.source):0,n=this._getWebGLVaryingHash(e),o=this._getHash(JSON.stringify(e.shaderLayout)),s=this._getHash(JSON.stringify(e._uniformBlockLayouts)),a=this._getHash(JSON.stringify(e.bufferLayout)),{type:c}=this.device;if(c==="webgl"){let l=this._getHash(JSON.stringify(e.parameters));return`${c}/R/${t}/${i}V${n}T${e.topology}P${l}SL${o}UBL${s}BL${a}`}else{let f=this._getHash(JSON.stringify({vertexEntryPoint:e.vertexEntryPoint,fragmentEntryPoint:e.fragmentEntryPoint})),u=this._getHash(JSON.stringify(e.parameters)),d=this._getWebGPUAttachmentHash(e);return`${c}/R/${t}/${i}V${n}T${e.topology}EP${f}P${u}SL${o}BL${a}A${d}`}}_hashSharedRenderPipeline(e){let t=e.vs?this._getHash(e.vs.source):0,i=e.fs?this._getHash(e.fs.source):0,n=this._getWebGLVaryingHash(e);return`webgl/S/${t}/${i}V${n}`}_getHash(e){return this._hashes[e]===void 0&&(this._hashes[e]=this._hashCounter++),this._hashes[e]}_getWebGLVaryingHash(e){let{varyings:t=[],bufferMode:i=null}=e;return this._getHash(JSON.stringify({varyings:t,bufferMode:i}))}_getWebGPUAttachmentHash(e){let t=e.colorAttachmentFormats??[this.device.preferredColorFormat],i=e.depthStencilAttachmentFormat??(e.parameters?.depthWriteEnabled?this.device.preferredDepthFormat:null);return this._getHash(JSON.stringify({colorAttachmentFormats:t,depthStencilAttachmentFormat:i}))}}});var jr,_y=x(()=>{md();Ce();jr=class r{static defaultProps={...Vr.defaultProps};static getDefaultShaderFactory(e){let t=e.getModuleData("@luma.gl/core");return t.defaultShaderFactory||=new r(e),t.defaultShaderFactory}device;_cache={};get[Symbol.toStringTag](){return"ShaderFactory"}toString(){return`${this[Symbol.toStringTag]}(${this.device.id})`}constructor(e){this.device=e}createShader(e){if(!this.device.props._cacheShaders)return this.device.createShader(e);let t=this._hashShader(e),i=this._cache[t];if(i)i.useCount++,this.device.props.debugFactories&&E.log(3,`${this}: Reusing shader ${i.resource.id} count=${i.useCount}`)();else{let n=this.device.createShader({...e,id:e.id?`${e.id}-cached`:void 0});this._cache[t]=i={resource:n,useCount:1},this.device.props.debugFactories&&E.log(3,`${this}: Created new shader ${n.id}`)()}return i.resource}release(e){if(!this.device.props._cacheShaders){e.destroy();return}let t=this._hashShader(e),i=this._cache[t];if(i)if(i.useCount--,i.useCount===0)this.device.props._destroyShaders&&(delete this._cache[t],i.resource.destroy(),this.device.props.debugFactories&&E.log(3,`${this}: Releasing shader ${e.id}, destroyed`)());else{if(i.useCount<0)throw new Error(`ShaderFactory: Shader ${e.id} released too many times`);this.device.props.debugFactories&&E.log(3,`${this}: Releasing shader ${e.id} count=${i.useCount}`)()}}_hashShader(e){return`${e.stage}:${e.source}`}}});function oc(r,e,t){let i=r.bindings.find(n=>n.name===e||`${n.name.toLocaleLowerCase()}uniforms`===e.toLocaleLowerCase());return!i&&!t?.ignoreWarnings&&E.warn(`Binding ${e} not set: Not found in shader layout.`)(),i||null}function Hr(r,e){if(!e)return{};if(oL(e))return Object.fromEntries(Object.entries(e).map(([n,o])=>[Number(n),{...o}]));let t={};for(let[i,n]of Object.entries(e)){let s=oc(r,i)?.group??0;t[s]||={},t[s][i]=n}return t}function Di(r){let e={};for(let t of Object.values(r))Object.assign(e,t);return e}function oL(r){let e=Object.keys(r);return e.length>0&&e.every(t=>/^\d+$/.test(t))}var yy=x(()=>{Ce()});var co,xy=x(()=>{ce();co=class r extends k{static defaultClearColor=[0,0,0,1];static defaultClearDepth=1;static defaultClearStencil=0;get[Symbol.toStringTag](){return"RenderPass"}constructor(e,t,i=r.defaultProps){t=r.normalizeProps(e,t),super(e,t,i)}static normalizeProps(e,t){return t}static defaultProps={...k.defaultProps,framebuffer:null,resolveTargets:void 0,parameters:void 0,clearColor:r.defaultClearColor,clearColors:void 0,clearDepth:r.defaultClearDepth,clearStencil:r.defaultClearStencil,depthReadOnly:!1,stencilReadOnly:!1,discard:!1,occlusionQuerySet:void 0,timestampQuerySet:void 0,beginTimestampIndex:void 0,endTimestampIndex:void 0}}});var lo,by=x(()=>{ce();lo=class r extends k{get[Symbol.toStringTag](){return"CommandEncoder"}_timeProfilingQuerySet=null;_timeProfilingSlotCount=0;_gpuTimeMs;constructor(e,t){super(e,t,r.defaultProps),this._timeProfilingQuerySet=t.timeProfilingQuerySet??null,this._timeProfilingSlotCount=0,this._gpuTimeMs=void 0}async resolveTimeProfilingQuerySet(){if(this._gpuTimeMs=void 0,!this._timeProfilingQuerySet)return;let e=Math.floor(this._timeProfilingSlotCount/2);if(e<=0)return;let t=e*2,i=await this._timeProfilingQuerySet.readResults({firstQuery:0,queryCount:t}),n=0n;for(let o=0;o<t;o+=2)n+=i[o+1]-i[o];this._gpuTimeMs=Number(n)/1e6}getTimeProfilingSlotCount(){return this._timeProfilingSlotCount}getTimeProfilingQuerySet(){return this._timeProfilingQuerySet}_applyTimeProfilingToPassProps(e){let t=e||{};if(!this._supportsTimestampQueries()||!this._timeProfilingQuerySet||t.timestampQuerySet!==void 0||t.beginTimestampIndex!==void 0||t.endTimestampIndex!==void 0)return t;let i=this._timeProfilingSlotCount;return i+1>=this._timeProfilingQuerySet.props.count?t:(this._timeProfilingSlotCount+=2,{...t,timestampQuerySet:this._timeProfilingQuerySet,beginTimestampIndex:i,endTimestampIndex:i+1})}_supportsTimestampQueries(){return this.device.features.has("timestamp-query")}static defaultProps={...k.defaultProps,measureExecutionTime:void 0,timeProfilingQuerySet:void 0}}});var fo,vy=x(()=>{ce();fo=class r extends k{get[Symbol.toStringTag](){return"CommandBuffer"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...k.defaultProps}}});var uo,wy=x(()=>{ce();uo=class r extends k{static defaultProps={...k.defaultProps,shaderLayout:void 0,bufferLayout:[]};get[Symbol.toStringTag](){return"VertexArray"}maxVertexAttributes;indexBuffer=null;attributes;constructor(e,t){super(e,t,r.defaultProps),this.maxVertexAttributes=e.limits.maxVertexAttributes,this.attributes=new Array(this.maxVertexAttributes).fill(null)}getBufferSlot(e){return null}getDrawValidationError(){return null}setConstantWebGL(e,t){this.device.reportError(new Error("constant attributes not supported"),this)()}}});var ho,Py=x(()=>{ce();ho=class r extends k{static defaultProps={...k.defaultProps,layout:void 0,buffers:{}};get[Symbol.toStringTag](){return"TransformFeedback"}constructor(e,t){super(e,t,r.defaultProps)}}});var po,Ey=x(()=>{ce();po=class r extends k{get[Symbol.toStringTag](){return"QuerySet"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...k.defaultProps,type:void 0,count:void 0}}});var go,Sy=x(()=>{ce();go=class r extends k{static defaultProps={...k.defaultProps};get[Symbol.toStringTag](){return"Fence"}constructor(e,t={}){super(e,t,r.defaultProps)}}});function ki(r){let e=sc(r),t=lL[e];if(!t)throw new Error(`Unsupported variable shader type: ${r}`);return t}function Ty(r){let e=Ly(r),t=cL[e];if(!t)throw new Error(`Unsupported attribute shader type: ${r}`);let[i,n]=t,o=i==="i32"||i==="u32",s=i!=="u32",a=aL[i]*n;return{primitiveType:i,components:n,byteLength:a,integer:o,signed:s}}function sL(r,e){return e===1?r:`vec${e}<${r}>`}function Ly(r){return fL[r]||r}function sc(r){return uL[r]||r}var xd,Ve,aL,cL,lL,fL,uL,mo=x(()=>{xd=class{getVariableShaderTypeInfo(e){return ki(e)}getAttributeShaderTypeInfo(e){return Ty(e)}makeShaderAttributeType(e,t){return sL(e,t)}resolveAttributeShaderTypeAlias(e){return Ly(e)}resolveVariableShaderTypeAlias(e){return sc(e)}};Ve=new xd,aL={f32:4,f16:2,i32:4,u32:4},cL={f32:["f32",1],"vec2<f32>":["f32",2],"vec3<f32>":["f32",3],"vec4<f32>":["f32",4],f16:["f16",1],"vec2<f16>":["f16",2],"vec3<f16>":["f16",3],"vec4<f16>":["f16",4],i32:["i32",1],"vec2<i32>":["i32",2],"vec3<i32>":["i32",3],"vec4<i32>":["i32",4],u32:["u32",1],"vec2<u32>":["u32",2],"vec3<u32>":["u32",3],"vec4<u32>":["u32",4]},lL={f32:{type:"f32",components:1},f16:{type:"f16",components:1},i32:{type:"i32",components:1},u32:{type:"u32",components:1},"vec2<f32>":{type:"f32",components:2},"vec3<f32>":{type:"f32",components:3},"vec4<f32>":{type:"f32",components:4},"vec2<f16>":{type:"f16",components:2},"vec3<f16>":{type:"f16",components:3},"vec4<f16>":{type:"f16",components:4},"vec2<i32>":{type:"i32",components:2},"vec3<i32>":{type:"i32",components:3},"vec4<i32>":{type:"i32",components:4},"vec2<u32>":{type:"u32",components:2},"vec3<u32>":{type:"u32",components:3},"vec4<u32>":{type:"u32",components:4},"mat2x2<f32>":{type:"f32",components:4},"mat2x3<f32>":{type:"f32",components:6},"mat2x4<f32>":{type:"f32",components:8},"mat3x2<f32>":{type:"f32",components:6},"mat3x3<f32>":{type:"f32",components:9},"mat3x4<f32>":{type:"f32",components:12},"mat4x2<f32>":{type:"f32",components:8},"mat4x3<f32>":{type:"f32",components:12},"mat4x4<f32>":{type:"f32",components:16},"mat2x2<f16>":{type:"f16",components:4},"mat2x3<f16>":{type:"f16",components:6},"mat2x4<f16>":{type:"f16",components:8},"mat3x2<f16>":{type:"f16",components:6},"mat3x3<f16>":{type:"f16",components:9},"mat3x4<f16>":{type:"f16",components:12},"mat4x2<f16>":{type:"f16",components:8},"mat4x3<f16>":{type:"f16",components:12},"mat4x4<f16>":{type:"f16",components:16},"mat2x2<i32>":{type:"i32",components:4},"mat2x3<i32>":{type:"i32",components:6},"mat2x4<i32>":{type:"i32",components:8},"mat3x2<i32>":{type:"i32",components:6},"mat3x3<i32>":{type:"i32",components:9},"mat3x4<i32>":{type:"i32",components:12},"mat4x2<i32>":{type:"i32",components:8},"mat4x3<i32>":{type:"i32",components:12},"mat4x4<i32>":{type:"i32",components:16},"mat2x2<u32>":{type:"u32",components:4},"mat2x3<u32>":{type:"u32",components:6},"mat2x4<u32>":{type:"u32",components:8},"mat3x2<u32>":{type:"u32",components:6},"mat3x3<u32>":{type:"u32",components:9},"mat3x4<u32>":{type:"u32",components:12},"mat4x2<u32>":{type:"u32",components:8},"mat4x3<u32>":{type:"u32",components:12},"mat4x4<u32>":{type:"u32",components:16}},fL={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>"},uL={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>",mat2x2f:"mat2x2<f32>",mat2x3f:"mat2x3<f32>",mat2x4f:"mat2x4<f32>",mat3x2f:"mat3x2<f32>",mat3x3f:"mat3x3<f32>",mat3x4f:"mat3x4<f32>",mat4x2f:"mat4x2<f32>",mat4x3f:"mat4x3<f32>",mat4x4f:"mat4x4<f32>",mat2x2i:"mat2x2<i32>",mat2x3i:"mat2x3<i32>",mat2x4i:"mat2x4<i32>",mat3x2i:"mat3x2<i32>",mat3x3i:"mat3x3<i32>",mat3x4i:"mat3x4<i32>",mat4x2i:"mat4x2<i32>",mat4x3i:"mat4x3<i32>",mat4x4i:"mat4x4<i32>",mat2x2u:"mat2x2<u32>",mat2x3u:"mat2x3<u32>",mat2x4u:"mat2x4<u32>",mat3x2u:"mat3x2<u32>",mat3x3u:"mat3x3<u32>",mat3x4u:"mat3x4<u32>",mat4x2u:"mat4x2<u32>",mat4x3u:"mat4x3<u32>",mat4x4u:"mat4x4<u32>",mat2x2h:"mat2x2<f16>",mat2x3h:"mat2x3<f16>",mat2x4h:"mat2x4<f16>",mat3x2h:"mat3x2<f16>",mat3x3h:"mat3x3<f16>",mat3x4h:"mat3x4<f16>",mat4x2h:"mat4x2<f16>",mat4x3h:"mat4x3<f16>",mat4x4h:"mat4x4<f16>"}});function Yr(r,e={}){let t={...r},i=e.layout??"std140",n={},o=0;for(let[s,a]of Object.entries(t))o=bd(n,s,a,o,i);return o=Xe(o,dr(t,i)),{layout:i,byteLength:o*4,uniformTypes:t,fields:n}}function _o(r,e){let t=sc(r),i=ki(t),n=/^mat(\d)x(\d)<.+>$/.exec(t);if(n){let s=Number(n[1]),a=Number(n[2]),c=Cy(a,t,i.type,e),l=hL(c.size,c.alignment,e);return{alignment:c.alignment,size:s*l,components:s*a,columns:s,rows:a,columnStride:l,shaderType:t,type:i.type}}let o=/^vec(\d)<.+>$/.exec(t);return o?Cy(Number(o[1]),t,i.type,e):{alignment:1,size:1,components:1,columns:1,rows:1,columnStride:1,shaderType:t,type:i.type}}function vd(r){return!!r&&typeof r=="object"&&!Array.isArray(r)}function bd(r,e,t,i,n){if(typeof t=="string"){let o=_o(t,n),s=Xe(i,o.alignment);return r[e]={offset:s,...o},s+o.size}if(Array.isArray(t)){if(Array.isArray(t[0]))throw new Error(`Nested arrays are not supported for ${e}`);let o=t[0],s=t[1],a=My(o,n),c=Xe(i,dr(t,n));for(let l=0;l<s;l++)bd(r,`${e}[${l}]`,o,c+l*a,n);return c+a*s}if(vd(t)){let o=dr(t,n),s=Xe(i,o);for(let[a,c]of Object.entries(t))s=bd(r,`${e}.${a}`,c,s,n);return Xe(s,o)}throw new Error(`Unsupported CompositeShaderType for ${e}`)}function Ay(r,e){if(typeof r=="string")return _o(r,e).size;if(Array.isArray(r)){let i=r[0],n=r[1];if(Array.isArray(i))throw new Error("Nested arrays are not supported");return My(i,e)*n}let t=0;for(let i of Object.values(r)){let n=i;t=Xe(t,dr(n,e)),t+=Ay(n,e)}return Xe(t,dr(r,e))}function dr(r,e){if(typeof r=="string")return _o(r,e).alignment;if(Array.isArray(r)){let i=r[0],n=dr(i,e);return Iy(e)?Math.max(n,4):n}let t=1;for(let i of Object.values(r)){let n=dr(i,e);t=Math.max(t,n)}return pL(e)?Math.max(t,4):t}function Cy(r,e,t,i){return{alignment:r===2?2:4,size:r===3?3:r,components:r,columns:1,rows:r,columnStride:r===3?3:r,shaderType:e,type:t}}function My(r,e){let t=Ay(r,e),i=dr(r,e);return dL(t,i,e)}function dL(r,e,t){return Xe(r,Iy(t)?4:e)}function hL(r,e,t){return t==="std140"?4:Xe(r,e)}function Iy(r){return r==="std140"||r==="wgsl-uniform"}function pL(r){return r==="std140"||r==="wgsl-uniform"}var ac=x(()=>{Ka();mo()});function wd(r){return(!cc||cc.byteLength<r)&&(cc=new ArrayBuffer(r)),cc}function Pd(r,e){let t=wd(r.BYTES_PER_ELEMENT*e);return new r(t,0,e)}var cc,Ed=x(()=>{});function gL(r){return ArrayBuffer.isView(r)&&!(r instanceof DataView)}function Ni(r){return Array.isArray(r)?r.length===0||typeof r[0]=="number":gL(r)}var Sd=x(()=>{});function mL(r){return!!r&&typeof r=="object"&&!Array.isArray(r)&&!ArrayBuffer.isView(r)}function _L(r,e,t){return Array.prototype.slice.call(r,e,t)}var lc,Ry=x(()=>{Ed();Sd();Ce();ac();lc=class{layout;constructor(e){this.layout=e}has(e){return!!this.layout.fields[e]}get(e){let t=this.layout.fields[e];return t?{offset:t.offset,size:t.size}:void 0}getFlatUniformValues(e){let t={};for(let[i,n]of Object.entries(e)){let o=this.layout.uniformTypes[i];o?this._flattenCompositeValue(t,i,o,n):this.layout.fields[i]&&(t[i]=n)}return t}getData(e){let t=wd(this.layout.byteLength);new Uint8Array(t,0,this.layout.byteLength).fill(0);let i={i32:new Int32Array(t),u32:new Uint32Array(t),f32:new Float32Array(t),f16:new Uint16Array(t)},n=this.getFlatUniformValues(e);for(let[o,s]of Object.entries(n))this._writeLeafValue(i,o,s);return new Uint8Array(t,0,this.layout.byteLength)}_flattenCompositeValue(e,t,i,n){if(n!==void 0){if(typeof i=="string"||this.layout.fields[t]){e[t]=n;return}if(Array.isArray(i)){let o=i[0],s=i[1];if(Array.isArray(o))throw new Error(`Nested arrays are not supported for ${t}`);if(typeof o=="string"&&Ni(n)){this._flattenPackedArray(e,t,o,s,n);return}if(!Array.isArray(n)){E.warn(`Unsupported uniform array value for ${t}:`,n)();return}for(let a=0;a<Math.min(n.length,s);a++){let c=n[a];c!==void 0&&this._flattenCompositeValue(e,`${t}[${a}]`,o,c)}return}if(vd(i)&&mL(n)){for(let[o,s]of Object.entries(n)){if(s===void 0)continue;let a=`${t}.${o}`;this._flattenCompositeValue(e,a,i[o],s)}return}E.warn(`Unsupported uniform value for ${t}:`,n)()}}_flattenPackedArray(e,t,i,n,o){let s=o,c=_o(i,this.layout.layout).components;for(let l=0;l<n;l++){let f=l*c;if(f>=s.length)break;c===1?e[`${t}[${l}]`]=Number(s[f]):e[`${t}[${l}]`]=_L(o,f,f+c)}}_writeLeafValue(e,t,i){let n=this.layout.fields[t];if(!n){E.warn(`Uniform ${t} not found in layout`)();return}let{type:o,components:s,columns:a,rows:c,offset:l,columnStride:f}=n,u=e[o];if(s===1){u[l]=Number(i);return}let d=i;if(a===1){for(let p=0;p<s;p++)u[l+p]=Number(d[p]??0);return}let h=0;for(let p=0;p<a;p++){let g=l+p*f;for(let m=0;m<c;m++)u[g+m]=Number(d[h++]??0)}}}});function Oy(r,e,t=16){if(r===e)return!0;let i=r,n=e;if(!Ni(i)||!Ni(n)||i.length!==n.length)return!1;let o=Math.min(t,yL);if(i.length>o)return!1;for(let s=0;s<i.length;++s)if(n[s]!==i[s])return!1;return!0}function By(r){return Ni(r)?r.slice():r}var yL,Dy=x(()=>{Sd();yL=128});var fc,ky=x(()=>{Dy();fc=class{name;uniforms={};modifiedUniforms={};modified=!0;bindingLayout={};needsRedraw="initialized";constructor(e){if(this.name=e?.name||"unnamed",e?.name&&e?.shaderLayout){let t=e?.shaderLayout.bindings?.find(n=>n.type==="uniform"&&n.name===e?.name);if(!t)throw new Error(e?.name);let i=t;for(let n of i.uniforms||[])this.bindingLayout[n.name]=n}}setUniforms(e){for(let[t,i]of Object.entries(e))this._setUniform(t,i)&&!this.needsRedraw&&this.setNeedsRedraw(`${this.name}.${t}=${i}`)}setNeedsRedraw(e){this.needsRedraw=this.needsRedraw||e}getAllUniforms(){return this.modifiedUniforms={},this.needsRedraw=!1,this.uniforms||{}}_setUniform(e,t){return Oy(this.uniforms[e],t)?!1:(this.uniforms[e]=By(t),this.modifiedUniforms[e]=!0,this.modified=!0,!0)}}});function bL(r){return r.type==="webgpu"?"wgsl-uniform":"std140"}var xL,qr,Ny=x(()=>{Za();Ce();ac();ky();Ry();xL=1024,qr=class{device;uniformBlocks=new Map;shaderBlockLayouts=new Map;shaderBlockWriters=new Map;uniformBuffers=new Map;constructor(e,t){this.device=e;for(let[i,n]of Object.entries(t)){let o=i,s=Yr(n.uniformTypes??{},{layout:n.layout??bL(e)}),a=new lc(s);this.shaderBlockLayouts.set(o,s),this.shaderBlockWriters.set(o,a);let c=new fc({name:i});c.setUniforms(a.getFlatUniformValues(n.defaultUniforms||{})),this.uniformBlocks.set(o,c)}}destroy(){for(let e of this.uniformBuffers.values())e.destroy()}setUniforms(e,t){for(let[i,n]of Object.entries(e)){let o=i,a=this.shaderBlockWriters.get(o)?.getFlatUniformValues(n||{});this.uniformBlocks.get(o)?.setUniforms(a||{})}this.updateUniformBuffers(t)}getUniformBufferByteLength(e){let t=this.shaderBlockLayouts.get(e)?.byteLength||0;return Math.max(t,xL)}getUniformBufferData(e){let t=this.uniformBlocks.get(e)?.getAllUniforms()||{};return this.shaderBlockWriters.get(e)?.getData(t)||new Uint8Array(0)}createUniformBuffer(e,t){t&&this.setUniforms(t);let i=this.getUniformBufferByteLength(e),n=this.device.createBuffer({usage:F.UNIFORM|F.COPY_DST,byteLength:i}),o=this.getUniformBufferData(e);return n.write(o),n}getManagedUniformBuffer(e){if(!this.uniformBuffers.get(e)){let t=this.getUniformBufferByteLength(e),i=this.device.createBuffer({usage:F.UNIFORM|F.COPY_DST,byteLength:t});this.uniformBuffers.set(e,i)}return this.uniformBuffers.get(e)}updateUniformBuffers(e){let t=!1;for(let i of this.uniformBlocks.keys()){let n=this.updateUniformBuffer(i,e);t||=n}return t&&E.log(3,`UniformStore.updateUniformBuffers(): ${t}`)(),t}updateUniformBuffer(e,t){let i=this.uniformBlocks.get(e),n=this.uniformBuffers.get(e),o=!1;if(n&&i?.needsRedraw){o||=i.needsRedraw;let s=this.getUniformBufferData(e);if(n=this.uniformBuffers.get(e),n&&(t?this.device.writeBufferViaCommandEncoder(t,n,s):n.write(s)),E.level>=4){let a=this.uniformBlocks.get(e)?.getAllUniforms();E.log(4,`Writing to uniform buffer ${String(e)}`,s,a)()}}return o}}});function Fi(r){return r.attributes?r.attributes.map(e=>e.attribute):[r.name]}function Td(r){return Object.fromEntries(r.attributes.map(e=>[e.name,e.location]))}function uc(r){let e=1/0;for(let t of r)t!==void 0&&(e=Math.min(e,t));return e}function Ld(r,e,t){vL(e);let i=new Map;for(let n of e){let o=wL(n);if(n.attributes)for(let s of n.attributes)i.has(s.attribute)||i.set(s.attribute,{bufferName:n.name,stepMode:n.stepMode,vertexFormat:s.format,byteOffset:s.byteOffset,byteStride:o});else n.format&&!i.has(n.name)&&i.set(n.name,{bufferName:n.name,stepMode:n.stepMode,vertexFormat:n.format,byteOffset:0,byteStride:o})}return r.attributes.map(n=>{let o=i.get(n.name);!o&&t?.warnOnMissingBufferLayout&&E.warn(`layout for attribute "${n.name}" not present in buffer layout`)();let s=Ve.getAttributeShaderTypeInfo(n.type),a=o?.vertexFormat||K.getCompatibleVertexFormat(s);return{attributeName:n.name,bufferName:o?.bufferName||n.name,location:n.location,vertexFormat:a,byteOffset:o?.byteOffset??0,byteStride:o?.byteStride??K.getVertexFormatInfo(a).byteLength,stepMode:o?.stepMode||n.stepMode||(n.name.startsWith("instance")?"instance":"vertex")}}).sort((n,o)=>n.location-o.location)}function vL(r){for(let e of r)(e.attributes&&e.format||!e.attributes&&!e.format)&&E.warn(`BufferLayout ${e.name} must have either 'attributes' or 'format' field`)()}function wL(r){if(typeof r.byteStride=="number")return r.byteStride;if(r.attributes){let e=0;for(let t of r.attributes)e+=K.getVertexFormatInfo(t.format).byteLength;return e}return K.getVertexFormatInfo(r.format).byteLength}var Cd=x(()=>{Ce();mo();to()});function yo(r,e){let t={},i=Ld(r,e,{warnOnMissingBufferLayout:!0});for(let n of i){let o=PL(r,n);t[n.attributeName]=o}return t}function PL(r,e){let t=EL(r,e.attributeName),i=Ve.getAttributeShaderTypeInfo(t.type),n=e.vertexFormat,o=K.getVertexFormatInfo(n);return{attributeName:e.attributeName,bufferName:e.bufferName,location:t.location,shaderType:t.type,primitiveType:i.primitiveType,shaderComponents:i.components,vertexFormat:n,bufferDataType:o.type,bufferComponents:o.components,normalized:o.normalized,integer:i.integer,stepMode:e.stepMode,byteOffset:e.byteOffset,byteStride:e.byteStride}}function EL(r,e){let t=r.attributes.find(i=>i.name===e);return t||E.warn(`shader layout attribute "${e}" not present in shader`)(),t||null}var Fy=x(()=>{Ce();mo();to();Cd()});var D=x(()=>{O_();B_();ty();ay();cy();Za();pd();ly();fy();md();hd();py();_d();gy();my();_y();xy();yd();by();vy();wy();Py();Ey();Sy();ac();Ny();Qa();Ka();mo();to();ic();Ce();yy();ud();Ed();Fy();Cd()});function xo(r=[],e){let t=[],i={},n={},o={},s={};for(let a of r)zy({modules:t,defines:i,injections:n,vertexInputs:o,varyings:s},a),zy({modules:t,defines:i,injections:n,vertexInputs:o,varyings:s},a[e]);for(let a of Object.keys(s))if(o[a])throw new Error(`ShaderPlugin name "${a}" cannot be both a vertex input and a varying`);return{modules:t,defines:i,injections:n,vertexInputs:o,varyings:s}}function bo(r=[],e=[]){let t=[...r],i=new Set(t.map(n=>n.name));for(let n of e)i.has(n.name)||(t.push(n),i.add(n.name));return t}function zy(r,e){if(e){e.modules?.length&&r.modules.push(...e.modules),e.defines&&Object.assign(r.defines,e.defines);for(let[t,i]of Object.entries(e.vertexInputs||{})){Uy(t,"vertex input");let n=r.vertexInputs[t];if(n&&n!==i)throw new Error(`ShaderPlugin vertex input "${t}" has conflicting types "${n}" and "${i}"`);r.vertexInputs[t]=i}for(let[t,i]of Object.entries(e.varyings||{})){Uy(t,"varying");let n=TL(t,i),o=r.varyings[t];if(o&&(o.type!==n.type||o.interpolation!==n.interpolation))throw new Error(`ShaderPlugin varying "${t}" has conflicting declarations "${o.type}/${o.interpolation}" and "${n.type}/${n.interpolation}"`);r.varyings[t]=n}for(let t of e.injections||[])LL(t.target),r.injections[t.target]||(r.injections[t.target]=[]),r.injections[t.target].push({injection:t.injection,order:t.order??0})}}function Uy(r,e){if(!/^[A-Za-z_][A-Za-z0-9_]*$/.test(r)||r.startsWith("_luma_"))throw new Error(`ShaderPlugin ${e} "${r}" must be a valid non-reserved identifier`)}function TL(r,e){let{primitiveType:t}=Ve.getAttributeShaderTypeInfo(e.type),i=t==="i32"||t==="u32",n=e.interpolation||(i?"flat":"smooth");if(i&&n==="smooth")throw new Error(`ShaderPlugin integer varying "${r}" must use flat interpolation`);return{type:e.type,interpolation:n}}function LL(r){if(!SL.test(r))throw new Error(`ShaderPlugin injection target "${r}" must be a named shader anchor or hook`)}var SL,Gy=x(()=>{D();SL=/^(vs|fs):(?:#(?:decl|main-start|main-end)|[A-Za-z_][\w-]*)$/});function vo(r){return`${r.name}Uniforms`}function $y(r,e){let t=e==="wgsl"?r.source:e==="vertex"?r.vs:r.fs;if(!t)return null;let i=vo(r);return ML(t,e==="wgsl"?"wgsl":"glsl",i)}function Wy(r,e){let t=Object.keys(r.uniformTypes||{});if(!t.length)return null;let i=$y(r,e);return i?{moduleName:r.name,uniformBlockName:vo(r),stage:e,expectedUniformNames:t,actualUniformNames:i,matches:OL(t,i)}:null}function Ad(r,e,t={}){let i=Wy(r,e);if(!i||i.matches)return i;let n=BL(i);return t.log?.error?.(n,i)(),t.throwOnError!==!1&&Wt(!1,n),i}function wo(r){let e=[],t=DL(r);for(let i of t.matchAll(AL)){let n=i[1]?.trim()||null;e.push({blockName:i[2],body:i[3],instanceName:i[4]||null,layoutQualifier:n,hasLayoutQualifier:!!n,isStd140:!!(n&&/\blayout\s*\([^)]*\bstd140\b[^)]*\)/.exec(n))})}return e}function Md(r,e,t,i){let n=wo(r).filter(s=>!s.isStd140),o=new Set;for(let s of n){if(o.has(s.blockName))continue;o.add(s.blockName);let a=i?.label?`${i.label} `:"",c=s.hasLayoutQualifier?`declares ${kL(s.layoutQualifier)} instead of layout(std140)`:"does not declare layout(std140)",l=`${a}${e} shader uniform block ${s.blockName} ${c}. luma.gl host-side shader block packing assumes explicit layout(std140) for GLSL uniform blocks. Add \`layout(std140)\` to the block declaration.`;t?.warn?.(l,s)()}return n}function ML(r,e,t){let i=e==="wgsl"?IL(r,t):RL(r,t);if(!i)return null;let n=[];for(let o of i.split(`
`)){let s=o.replace(/\/\/.*$/,"").trim();if(!s||s.startsWith("#"))continue;let a=e==="wgsl"?s.match(/^([A-Za-z0-9_]+)\s*:/):s.match(CL);a&&n.push(a[1])}return n}function IL(r,e){let t=new RegExp(`\\bstruct\\s+${e}\\b`,"m").exec(r);if(!t)return null;let i=r.indexOf("{",t.index);if(i<0)return null;let n=0;for(let o=i;o<r.length;o++){let s=r[o];if(s==="{"){n++;continue}if(s==="}"&&(n--,n===0))return r.slice(i+1,o)}return null}function RL(r,e){return wo(r).find(i=>i.blockName===e)?.body||null}function OL(r,e){if(r.length!==e.length)return!1;for(let t=0;t<r.length;t++)if(r[t]!==e[t])return!1;return!0}function BL(r){let{expectedUniformNames:e,actualUniformNames:t}=r,i=e.filter(a=>!t.includes(a)),n=t.filter(a=>!e.includes(a)),o=[`Expected ${e.length} fields, found ${t.length}.`],s=NL(e,t);return s&&o.push(s),i.length&&o.push(`Missing from shader block (${i.length}): ${Vy(i)}.`),n.length&&o.push(`Unexpected in shader block (${n.length}): ${Vy(n)}.`),e.length<=12&&t.length<=12&&(i.length||n.length)&&(o.push(`Expected: ${e.join(", ")}.`),o.push(`Actual: ${t.join(", ")}.`)),`${r.moduleName}: ${r.stage} shader uniform block ${r.uniformBlockName} does not match module.uniformTypes. ${o.join(" ")}`}function DL(r){return r.replace(/\/\*[\s\S]*?\*\//g,"").replace(/\/\/.*$/gm,"")}function kL(r){return r.replace(/\s+/g," ").trim()}function NL(r,e){let t=Math.min(r.length,e.length);for(let i=0;i<t;i++)if(r[i]!==e[i])return`First mismatch at field ${i+1}: expected ${r[i]}, found ${e[i]}.`;return r.length>e.length?`Shader block ends after field ${e.length}; expected next field ${r[e.length]}.`:e.length>r.length?`Shader block has extra field ${e.length}: ${e[r.length]}.`:null}function Vy(r,e=8){if(r.length<=e)return r.join(", ");let t=r.length-e;return`${r.slice(0,e).join(", ")}, ... (${t} more)`}var CL,AL,Id=x(()=>{$a();CL=/^(?:uniform\s+)?(?:(?:lowp|mediump|highp)\s+)?[A-Za-z0-9_]+(?:<[^>]+>)?\s+([A-Za-z0-9_]+)(?:\s*\[[^\]]+\])?\s*;/,AL=/((?:layout\s*\([^)]*\)\s*)*)uniform\s+([A-Za-z_][A-Za-z0-9_]*)\s*\{([\s\S]*?)\}\s*([A-Za-z_][A-Za-z0-9_]*)?\s*;/g});function jy(r){switch(r?.gpu.toLowerCase()){case"apple":return`#define APPLE_GPU
// Apple optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"nvidia":return`#define NVIDIA_GPU
// Nvidia optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
`;case"intel":return`#define INTEL_GPU
// Intel optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Intel's built-in 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"amd":return`#define AMD_GPU
`;default:return`#define DEFAULT_GPU
// Prevent driver from optimizing away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Headless Chrome's software shader 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// If the GPU doesn't have full 32 bits precision, will causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`}}var Hy=x(()=>{});function qy(r,e){if(Number(r.match(/^#version[ \t]+(\d+)/m)?.[1]||100)!==300)throw new Error("luma.gl v9 only supports GLSL 3.00 shader sources");switch(e){case"vertex":return r=Yy(r,FL),r;case"fragment":return r=Yy(r,zL),r;default:throw new Error(e)}}function Yy(r,e){for(let[t,i]of e)r=r.replace(t,i);return r}function Rd(r){return new RegExp(`\\b${r}[ \\t]+(\\w+[ \\t]+\\w+(\\[\\w+\\])?;)`,"g")}var Zy,FL,zL,Xy=x(()=>{Zy=[[/^(#version[ \t]+(100|300[ \t]+es))?[ \t]*\n/,`#version 300 es
`],[/\btexture(2D|2DProj|Cube)Lod(EXT)?\(/g,"textureLod("],[/\btexture(2D|2DProj|Cube)(EXT)?\(/g,"texture("]],FL=[...Zy,[Rd("attribute"),"in $1"],[Rd("varying"),"out $1"]],zL=[...Zy,[Rd("varying"),"in $1"]]});function dc(r,e,t="glsl"){let i="";for(let n in r){let o=r[n];if(i+=`${t==="wgsl"?"fn":"void"} ${o.signature} {
`,o.header&&(i+=`  ${o.header}`),e[n]){let a=e[n];a.sort((c,l)=>c.order-l.order);for(let c of a)i+=`  ${c.injection}
`}o.footer&&(i+=`  ${o.footer}`),i+=`}
`}return i}function Od(r){let e={vertex:{},fragment:{}};for(let t of r){let i,n;typeof t!="string"?(i=t,n=i.hook):(i={},n=t),n=n.trim();let o=n.indexOf(":"),s=n.slice(0,o),a=n.slice(o+1),c=n.replace(/\(.+/,""),l=Object.assign(i,{signature:a});switch(s){case"vs":e.vertex[c]=l;break;case"fs":e.fragment[c]=l;break;default:throw new Error(s)}}return e}var Ky=x(()=>{});function Qy(r,e){return{name:UL(r,e),language:"glsl",version:GL(r)}}function UL(r,e="unnamed"){let i=/#define[^\S\r\n]*SHADER_NAME[^\S\r\n]*([A-Za-z0-9_-]+)\s*/.exec(r);return i?i[1]:e}function GL(r){let e=100,t=r.match(/[^\s]+/g);if(t&&t.length>=2&&t[0]==="#version"){let i=parseInt(t[1],10);Number.isFinite(i)&&(e=i)}if(e!==100&&e!==300)throw new Error(`Invalid GLSL version ${e}`);return e}var Jy=x(()=>{});function hc(r,e=[]){let t=Ii(r),i=new Map;for(let o of e)i.set(tx(o.name,o.group,o.location),o.moduleName);let n=[];for(let o of ex){o.lastIndex=0;let s;for(s=o.exec(t);s;){let a=o===ex[0],c=Number(s[a?1:2]),l=Number(s[a?2:1]),f=s[3]?.trim(),u=s[4],d=s[5].trim(),h=i.get(tx(u,l,c));n.push(VL({name:u,group:l,binding:c,owner:h?"module":"application",moduleName:h,accessDeclaration:f,resourceType:d})),s=o.exec(t)}}return n.sort((o,s)=>o.group!==s.group?o.group-s.group:o.binding!==s.binding?o.binding-s.binding:o.name.localeCompare(s.name))}function VL(r){let e={name:r.name,group:r.group,binding:r.binding,owner:r.owner,kind:"unknown",moduleName:r.moduleName,resourceType:r.resourceType};if(r.accessDeclaration){let t=r.accessDeclaration.split(",").map(i=>i.trim());if(t[0]==="uniform")return{...e,kind:"uniform",access:"uniform"};if(t[0]==="storage"){let i=t[1]||"read_write";return{...e,kind:i==="read"?"read-only-storage":"storage",access:i}}}return r.resourceType==="sampler"||r.resourceType==="sampler_comparison"?{...e,kind:"sampler",samplerKind:r.resourceType==="sampler_comparison"?"comparison":"filtering"}:r.resourceType.startsWith("texture_storage_")?{...e,kind:"storage-texture",access:WL(r.resourceType),viewDimension:rx(r.resourceType)}:r.resourceType.startsWith("texture_")?{...e,kind:"texture",viewDimension:rx(r.resourceType),sampleType:$L(r.resourceType),multisampled:r.resourceType.startsWith("texture_multisampled_")}:e}function tx(r,e,t){return`${e}:${t}:${r}`}function rx(r){if(r.includes("cube_array"))return"cube-array";if(r.includes("2d_array"))return"2d-array";if(r.includes("cube"))return"cube";if(r.includes("3d"))return"3d";if(r.includes("2d"))return"2d";if(r.includes("1d"))return"1d"}function $L(r){if(r.startsWith("texture_depth_"))return"depth";if(r.includes("<i32>"))return"sint";if(r.includes("<u32>"))return"uint";if(r.includes("<f32>"))return"float"}function WL(r){return/,\s*([A-Za-z_][A-Za-z0-9_]*)\s*>$/.exec(r)?.[1]}var ex,Bd=x(()=>{za();ex=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${Ge}\\s*:\\s*([^;]+);`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${Ge}\\s*:\\s*([^;]+);`,"g")]});function Xr(r,e){let t=r.split(`
`),i=[],n=[],o=!0;for(let s of t){let a=s.match(jL),c=s.match(XL)||s.match(HL),l=s.match(YL),f=s.match(qL),u=s.match(KL)||s.match(ZL);if(a){let d=QL(a[1],e?.defines||{}),h=o&&d;n.push({parentActive:o,branchTaken:d,active:h}),o=h}else if(c||l){let d=(c||l)?.[1],h=!!e?.defines?.[d],p=c?h:!h,g=o&&p;n.push({parentActive:o,branchTaken:p,active:g}),o=g}else if(f){let d=n[n.length-1];if(!d)throw new Error("Encountered #else without matching #if, #ifdef or #ifndef");d.active=d.parentActive&&!d.branchTaken,d.branchTaken=!0,o=d.active}else u?(n.pop(),o=n.length?n[n.length-1].active:!0):o&&i.push(s)}if(n.length>0)throw new Error("Unterminated conditional block in shader source");return i.join(`
`)}function QL(r,e){let t=r.trim();if(/^[+-]?\d+(?:\.\d+)?$/.test(t))return Number(t)!==0;if(t==="true")return!0;if(t==="false")return!1;let i=t.match(new RegExp(`^!\\s*${Zr}$`));if(i)return!e[i[1]];let n=t.match(new RegExp(`^${Zr}$`));if(n)return!!e[n[1]];let o=t.match(new RegExp(`^defined\\s*\\(\\s*${Zr}\\s*\\)$`));if(o)return e[o[1]]!==void 0;let s=t.match(new RegExp(`^!\\s*defined\\s*\\(\\s*${Zr}\\s*\\)$`));if(s)return e[s[1]]===void 0;throw new Error(`Unsupported #if expression "${r}"`)}var Zr,jL,HL,YL,qL,ZL,XL,KL,Dd=x(()=>{Zr="([a-zA-Z_][a-zA-Z0-9_]*)",jL=/^\s*\#\s*if\s+(.+?)\s*(?:\/\/.*)?$/,HL=new RegExp(`^\\s*\\#\\s*ifdef\\s*${Zr}\\s*$`),YL=new RegExp(`^\\s*\\#\\s*ifndef\\s*${Zr}\\s*(?:\\/\\/.*)?$`),qL=/^\s*\#\s*else\s*(?:\/\/.*)?$/,ZL=/^\s*\#\s*endif\s*$/,XL=new RegExp(`^\\s*\\#\\s*ifdef\\s*${Zr}\\s*(?:\\/\\/.*)?$`),KL=/^\s*\#\s*endif\s*(?:\/\/.*)?$/});function ox(r,e){let t=[];for(let[i,n]of Object.entries(e))JL(r,i),t.push(`in ${pc(n)} ${i};`);return t.join(`
`)}function sx(r,e,t){let i=Object.entries(t);if(i.length===0)return{source:r,declarations:"",initialization:""};let n=eC(r,e),o=r.slice(n.openParenthesis+1,n.closeParenthesis),s=tC(r,o),a=new Set(s.locations),c=[],l=[],f=[];for(let[g,m]of i){if(s.names.has(g)||nC(r,g))throw new Error(`ShaderPlugin vertex input "${g}" conflicts with an existing WGSL shader input or variable`);let y=oC(a);a.add(y);let v=`_luma_${g}`;c.push(`@location(${y}) ${v}: ${m}`),l.push(`var<private> ${g}: ${m};`),f.push(`${g} = ${v};`)}let u=o.trim()?`,
  `:`
  `,d=o.trim()?"":`
`,h=`${o}${u}${c.join(`,
  `)}${d}`;return{source:r.slice(0,n.openParenthesis+1)+h+r.slice(n.closeParenthesis),declarations:l.join(`
`),initialization:f.join(`
`)}}function pc(r){let{primitiveType:e,components:t}=Ve.getAttributeShaderTypeInfo(r),i=e==="i32"?"int":e==="u32"?"uint":"float";return t===1?i:`${i==="int"?"i":i==="uint"?"u":""}vec${t}`}function JL(r,e){let t=gc(e);if(new RegExp(`\\b(?:in|attribute)\\s+(?:(?:lowp|mediump|highp)\\s+)?[A-Za-z_][A-Za-z0-9_]*\\s+${t}\\s*(?:\\[|;)`).test(r))throw new Error(`ShaderPlugin vertex input "${e}" conflicts with an existing GLSL input`)}function eC(r,e){let i=new RegExp(`\\bfn\\s+${gc(e)}\\s*\\(`,"g").exec(r);if(!i)throw new Error(`ShaderPlugin vertex inputs require WGSL vertex entry point "${e}"`);let n=r.indexOf("(",i.index),o=ax(r,n,"(",")");if(o<0)throw new Error(`Unable to parse WGSL vertex entry point "${e}" parameters`);return{openParenthesis:n,closeParenthesis:o}}function tC(r,e){let t=ix(e),i=new Set(nx(e)),n=rC(e);for(let o of n){let s=iC(r,o);if(s!==null){t.push(...ix(s));for(let a of nx(s))i.add(a)}}return{locations:t,names:i}}function ix(r){let e=[],t=/@location\s*\(\s*(\d+)\s*\)/g,i=t.exec(r);for(;i;)e.push(Number(i[1])),i=t.exec(r);return e}function nx(r){let e=[],t=/(?:^|,)\s*(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:/gm,i=t.exec(r);for(;i;)e.push(i[1]),i=t.exec(r);return e}function rC(r){let e=[],t=/:\s*([A-Za-z_][\w]*)\b/g,i=t.exec(r);for(;i;)e.push(i[1]),i=t.exec(r);return e}function iC(r,e){let i=new RegExp(`\\bstruct\\s+${gc(e)}\\s*\\{`,"g").exec(r);if(!i)return null;let n=r.indexOf("{",i.index),o=ax(r,n,"{","}");return o<0?null:r.slice(n+1,o)}function nC(r,e){let t=gc(e),i=new RegExp(`\\b(?:var(?:<[^>]+>)?|let|const)\\s+${t}\\b`,"g"),n=i.exec(r);for(;n;){if(sC(r,n.index)===0)return!0;n=i.exec(r)}return!1}function oC(r){let e=0;for(;r.has(e);)e++;return e}function ax(r,e,t,i){let n=0,o=0,s=!1;for(let a=e;a<r.length;a++){let c=r[a],l=r[a+1];if(s){c===`
`&&(s=!1);continue}if(o>0){c==="/"&&l==="*"?(o++,a++):c==="*"&&l==="/"&&(o--,a++);continue}if(c==="/"&&l==="/"){s=!0,a++;continue}if(c==="/"&&l==="*"){o=1,a++;continue}if(c===t&&n++,c===i&&--n===0)return a}return-1}function sC(r,e){let t=0,i=0,n=!1;for(let o=0;o<e;o++){let s=r[o],a=r[o+1];if(n){s===`
`&&(n=!1);continue}if(i>0){s==="/"&&a==="*"?(i++,o++):s==="*"&&a==="/"&&(i--,o++);continue}s==="/"&&a==="/"?(n=!0,o++):s==="/"&&a==="*"?(i=1,o++):s==="{"?t++:s==="}"&&t--}return t}function gc(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var kd=x(()=>{D()});function lx(r,e,t){let i=[],n=[];for(let[o,s]of Object.entries(t)){xC(r,o);let a=s.interpolation==="flat"?"flat ":"",c=e==="vertex"?"out":"in";i.push(`${a}${c} ${pc(s.type)} ${o};`),e==="vertex"&&n.push(`${o} = ${_C(s.type)};`)}return{declarations:i.join(`
`),initialization:n.join(`
`)}}function fx(r,e,t,i){let n=Object.entries(i);if(n.length===0)return{source:r,declarations:"",vertexInitialization:"",fragmentInitialization:""};let o=r,s=mc(o,e,"vertex"),a=aC(o,s),c=mc(o,t,"fragment"),l=cC(o,c),f=Nd(o,a),u=Nd(o,l.type),d=new Set([..._c(s.parameters),..._c(f.body),..._c(c.parameters),..._c(u.body)]),h=new Set([...cx(f.body),...cx(u.body)]),p=[],g=[],m=[],y=[];for(let[w,P]of n){if(d.has(w)||gC(o,w))throw new Error(`ShaderPlugin varying "${w}" conflicts with existing WGSL stage I/O or a module variable`);let L=mC(h);h.add(L);let T=P.interpolation==="flat"?" @interpolate(flat)":"";p.push(`  @location(${L})${T} ${w}: ${P.type},`),g.push(`var<private> ${w}: ${P.type};`),m.push(`${w} = ${yC(P.type)};`),y.push(`${w} = ${l.name}.${w};`)}lC(o,a,s.openBrace,s.closeBrace),o=fC(o,a,s,n.map(([w])=>w)),s=mc(o,e,"vertex"),o=uC(o,s,n.map(([w])=>w));let _=(a===l.type?[a]:[a,l.type]).map(w=>Nd(o,w).closeBrace).sort((w,P)=>P-w);for(let w of _)o=o.slice(0,w)+`${p.join(`
`)}
`+o.slice(w);if(c=mc(o,t,"fragment"),!new RegExp(`\\b${Kr(l.name)}\\s*:`).test(c.parameters))throw new Error(`Unable to preserve WGSL fragment input "${l.name}"`);return{source:o,declarations:g.join(`
`),vertexInitialization:m.join(`
`),fragmentInitialization:y.join(`
`)}}function mc(r,e,t){let n=new RegExp(`\\bfn\\s+${Kr(e)}\\s*\\(`,"g").exec(r);if(!n)throw new Error(`ShaderPlugin varyings require WGSL ${t} entry point "${e}"`);let o=r.indexOf("(",n.index),s=yc(r,o,"(",")"),a=r.indexOf("{",s),c=yc(r,a,"{","}");if(s<0||a<0||c<0)throw new Error(`Unable to parse WGSL ${t} entry point "${e}"`);return{openParenthesis:o,closeParenthesis:s,openBrace:a,closeBrace:c,parameters:r.slice(o+1,s)}}function aC(r,e){let t=r.slice(e.closeParenthesis+1,e.openBrace),i=/->\s*([A-Za-z_][\w]*)\s*$/.exec(t.trim());if(!i||Fd(r,i[1])===null)throw new Error("ShaderPlugin varyings require the WGSL vertex entry point to return a named struct");return i[1]}function cC(r,e){let t=[];for(let i of pC(e.parameters,",")){let n=/(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:\s*([A-Za-z_][\w]*)\s*$/.exec(i.trim());n&&Fd(r,n[2])&&t.push({name:n[1],type:n[2]})}if(t.length!==1)throw new Error(`ShaderPlugin varyings require exactly one named WGSL fragment input struct; found ${t.length}`);return t[0]}function Nd(r,e){let t=Fd(r,e);if(!t)throw new Error(`Unable to find WGSL stage I/O struct "${e}"`);return t}function Fd(r,e){let i=new RegExp(`\\bstruct\\s+${Kr(e)}\\s*\\{`,"g").exec(r);if(!i)return null;let n=r.indexOf("{",i.index),o=yc(r,n,"{","}");return o<0?null:{openBrace:n,closeBrace:o,body:r.slice(n+1,o)}}function lC(r,e,t,i){let n=new RegExp(`\\b${Kr(e)}\\s*\\(`,"g"),o=n.exec(r);for(;o;){if(o.index<t||o.index>i)throw new Error(`ShaderPlugin varying output struct "${e}" is constructed outside the selected vertex entry point`);o=n.exec(r)}}function fC(r,e,t,i){let n=new RegExp(`\\b${Kr(e)}\\s*\\(`,"g"),o=[],s=n.exec(r);for(;s;){if(s.index>t.openBrace&&s.index<t.closeBrace){let a=r.indexOf("(",s.index),c=yc(r,a,"(",")");if(c<0||c>t.closeBrace)throw new Error(`Unable to parse WGSL output constructor "${e}"`);o.push({openParenthesis:a,closeParenthesis:c})}s=n.exec(r)}for(let a of o.sort((c,l)=>l.closeParenthesis-c.closeParenthesis)){let l=r.slice(a.openParenthesis+1,a.closeParenthesis).trim()?", ":"";r=r.slice(0,a.closeParenthesis)+l+i.join(", ")+r.slice(a.closeParenthesis)}return r}function uC(r,e,t){let i=dC(r,e.openBrace+1,e.closeBrace);for(let n=i.length-1;n>=0;n--){let o=i[n],s=r.slice(o.expressionStart,o.semicolon).trim();if(!s)throw new Error("ShaderPlugin varying vertex entry point cannot use an empty return");let a=`_luma_vertexOutput${n}`,c=t.map(f=>`${a}.${f} = ${f};`).join(`
`),l=`{
var ${a} = ${s};
${c}
return ${a};
}`;r=r.slice(0,o.start)+l+r.slice(o.semicolon+1)}return r}function dC(r,e,t){let i=[],n=e;for(;n<t;)if(n=zd(r,n,t),r.slice(n,n+6)==="return"&&!/[A-Za-z0-9_]/.test(r[n+6]||"")){let o=n+6,s=hC(r,o,t);if(s<0)throw new Error("Unable to parse WGSL return statement in selected vertex entry point");i.push({start:n,expressionStart:o,semicolon:s}),n=s+1}else n++;return i}function hC(r,e,t){let i=0,n=0;for(let o=e;o<t;o++){let s=zd(r,o,t);if(s!==o){o=s-1;continue}let a=r[o];if(a==="("&&i++,a===")"&&i--,a==="["&&n++,a==="]"&&n--,a===";"&&i===0&&n===0)return o}return-1}function zd(r,e,t){let i=e;if(r[i]==="/"&&r[i+1]==="/"){let n=r.indexOf(`
`,i+2);return n<0||n>t?t:n+1}if(r[i]==="/"&&r[i+1]==="*"){let n=1;for(i+=2;i<t&&n>0;)r[i]==="/"&&r[i+1]==="*"?(n++,i+=2):r[i]==="*"&&r[i+1]==="/"?(n--,i+=2):i++}return i}function pC(r,e){let t=[],i=0,n=0,o=0;for(let s=0;s<r.length;s++){let a=r[s];a==="("&&n++,a===")"&&n--,a==="<"&&o++,a===">"&&o--,a===e&&n===0&&o===0&&(t.push(r.slice(i,s)),i=s+1)}return t.push(r.slice(i)),t}function cx(r){let e=[],t=/@location\s*\(\s*(\d+)\s*\)/g,i=t.exec(r);for(;i;)e.push(Number(i[1])),i=t.exec(r);return e}function _c(r){let e=[],t=/(?:^|,)\s*(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:/gm,i=t.exec(r);for(;i;)e.push(i[1]),i=t.exec(r);return e}function gC(r,e){let t=new RegExp(`\\b(?:var(?:<[^>]+>)?|let|const)\\s+${Kr(e)}\\b`,"g"),i=t.exec(r);for(;i;){if(bC(r,i.index)===0)return!0;i=t.exec(r)}return!1}function mC(r){let e=0;for(;r.has(e);)e++;return e}function _C(r){let{primitiveType:e,components:t}=Ve.getAttributeShaderTypeInfo(r),i=e==="u32"?"0u":e==="i32"?"0":"0.0";return t===1?i:`${pc(r)}(${i})`}function yC(r){let{primitiveType:e,components:t}=Ve.getAttributeShaderTypeInfo(r),i=`${e}(0)`;return t===1?i:`${r}(${i})`}function xC(r,e){if(new RegExp(`\\b(?:flat\\s+|smooth\\s+)?(?:in|out|varying)\\s+(?:(?:lowp|mediump|highp)\\s+)?[A-Za-z_][A-Za-z0-9_]*\\s+${Kr(e)}\\s*(?:\\[|;)`).test(r))throw new Error(`ShaderPlugin varying "${e}" conflicts with existing GLSL stage I/O`)}function yc(r,e,t,i){let n=0,o=0,s=!1;for(let a=e;a<r.length;a++){let c=r[a],l=r[a+1];if(s){c===`
`&&(s=!1);continue}if(o>0){c==="/"&&l==="*"?(o++,a++):c==="*"&&l==="/"&&(o--,a++);continue}if(c==="/"&&l==="/"){s=!0,a++;continue}if(c==="/"&&l==="*"){o=1,a++;continue}if(c===t&&n++,c===i&&--n===0)return a}return-1}function bC(r,e){let t=0;for(let i=0;i<e;i++){let n=zd(r,i,e);if(n!==i){i=n-1;continue}r[i]==="{"&&t++,r[i]==="}"&&t--}return t}function Kr(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var ux=x(()=>{D();kd()});function px(r){let e=Nr(r.modules||[]),{source:t,bindingAssignments:i}=wC(r.platformInfo,{...r,source:r.source,stage:"vertex",modules:e});return{source:t,getUniforms:mx(e),bindingAssignments:i,bindingTable:hc(t,i),shaderLayout:Ga(t,{vertexEntryPoint:r.vertexEntryPoint,scanVertexAttributes:r.scanVertexAttributes})}}function gx(r){let{vs:e,fs:t}=r,i=Nr(r.modules||[]);return{vs:dx(r.platformInfo,{...r,source:e,stage:"vertex",modules:i}),fs:dx(r.platformInfo,{...r,source:t,stage:"fragment",modules:i}),getUniforms:mx(i)}}function wC(r,e){let{source:t,stage:i,modules:n,defines:o={},hookFunctions:s=[],inject:a={},pluginInjections:c={},pluginVertexInputs:l={},pluginVaryings:f={},vertexEntryPoint:u="vertexMain",fragmentEntryPoint:d="fragmentMain",log:h}=e;Wt(typeof t=="string","shader source must be a string");let p=Xr(t,{defines:o}),g=sx(p,u,l),m=fx(g.source,u,d,f),y=m.source,v="",_=Od(s),b={},w={},P={};_x(c,b,w,P);for(let I in a){let A=typeof a[I]=="string"?{injection:a[I],order:0}:a[I],O=/^(v|f)s:(#)?([\w-]+)$/.exec(I);if(O){let W=O[2],z=O[3];W?z==="decl"?w[I]=[A]:P[I]=[A]:b[I]=[A]}else P[I]=[A]}PC(g.declarations,g.initialization,w,P),EC(m,w,P);let L=n,T=MC(y),C=AC(T.source),S=BC(L,e._bindingRegistry,C,o),R=[];for(let I of L){h&&ju(I,y,h);let A=Xr(yx(I,"wgsl",h),{defines:o}),O=IC(A,I,{usedBindingsByGroup:C,bindingRegistry:e._bindingRegistry,reservedBindingKeysByGroup:S});R.push(...O.bindingAssignments);let W=O.source;v+=W;let z=SC(I);for(let U in z){let Ut=/^(v|f)s:#([\w-]+)$/.exec(U);if(Ut){let Pi=Ut[2]==="decl"?w:P;Pi[U]=Pi[U]||[],Pi[U].push(z[U])}else b[U]=b[U]||[],b[U].push(z[U])}}return v+=Ud,v=Qn(v,i,TC(w),!1,"wgsl",{vertex:u,fragment:d}),v+=LC(_,b),v+=UC(R),v+=T.source,v=Qn(v,i,P,!1,"wgsl",{vertex:u,fragment:d}),zC(v),{source:v,bindingAssignments:R}}function dx(r,e){let{source:t,stage:i,language:n="glsl",modules:o,defines:s={},hookFunctions:a=[],inject:c={},pluginInjections:l={},pluginVertexInputs:f={},pluginVaryings:u={},prologue:d=!0,log:h}=e;Wt(typeof t=="string","shader source must be a string");let p=n==="glsl"?Qy(t).version:-1,g=r.shaderLanguageVersion,m=p===100?"#version 100":"#version 300 es",v=t.split(`
`).slice(1).join(`
`),_={};o.forEach(S=>{Object.assign(_,S.defines)}),Object.assign(_,s);let b="";switch(n){case"wgsl":break;case"glsl":b=d?`${m}

// ----- PROLOGUE -------------------------
${`#define SHADER_TYPE_${i.toUpperCase()}`}

${jy(r)}
${i==="fragment"?vC:""}

// ----- APPLICATION DEFINES -------------------------

${CC(_)}

`:`${m}
`;break}let w=Od(a),P={},L={},T={};_x(l,P,L,T);for(let S in c){let R=typeof c[S]=="string"?{injection:c[S],order:0}:c[S],I=/^(v|f)s:(#)?([\w-]+)$/.exec(S);if(I){let A=I[2],O=I[3];A?O==="decl"?L[S]=[R]:T[S]=[R]:P[S]=[R]}else T[S]=[R]}if(i==="vertex"){let S=ox(v,f);S&&(L["vs:#decl"]=L["vs:#decl"]||[],L["vs:#decl"].push({injection:S,order:Number.MIN_SAFE_INTEGER}))}let C=lx(v,i,u);if(C.declarations){let S=i==="vertex"?"vs:#decl":"fs:#decl";L[S]=L[S]||[],L[S].push({injection:C.declarations,order:Number.MIN_SAFE_INTEGER})}C.initialization&&(T["vs:#main-start"]=T["vs:#main-start"]||[],T["vs:#main-start"].push({injection:C.initialization,order:Number.MIN_SAFE_INTEGER}));for(let S of o){h&&ju(S,v,h);let R=yx(S,i,h);b+=R;let I=S.instance?.normalizedInjections[i]||{};for(let A in I){let O=/^(v|f)s:#([\w-]+)$/.exec(A);if(O){let z=O[2]==="decl"?L:T;z[A]=z[A]||[],z[A].push(I[A])}else P[A]=P[A]||[],P[A].push(I[A])}}return b+="// ----- MAIN SHADER SOURCE -------------------------",b+=Ud,b=Qn(b,i,L),b+=dc(w[i],P),b+=v,b=Qn(b,i,T),n==="glsl"&&p!==g&&(b=qy(b,i)),n==="glsl"&&Md(b,i,h),b.trim()}function mx(r){return function(t){let i={};for(let n of r){let o=n.getUniforms?.(t,i);Object.assign(i,o)}return i}}function _x(r,e,t,i){for(let n in r){let o=/^(v|f)s:(#)?([\w-]+)$/.exec(n);if(o){let s=o[2],a=o[3],c=s?a==="decl"?t:i:e;c[n]=c[n]||[],c[n].push(...r[n])}else i[n]=i[n]||[],i[n].push(...r[n])}}function PC(r,e,t,i){r&&(t["vs:#decl"]=t["vs:#decl"]||[],t["vs:#decl"].push({injection:r,order:Number.MIN_SAFE_INTEGER})),e&&(i["vs:#main-start"]=i["vs:#main-start"]||[],i["vs:#main-start"].push({injection:e,order:Number.MIN_SAFE_INTEGER}))}function EC(r,e,t){r.declarations&&(e["vs:#decl"]=e["vs:#decl"]||[],e["vs:#decl"].push({injection:r.declarations,order:Number.MIN_SAFE_INTEGER})),r.vertexInitialization&&(t["vs:#main-start"]=t["vs:#main-start"]||[],t["vs:#main-start"].push({injection:r.vertexInitialization,order:Number.MIN_SAFE_INTEGER})),r.fragmentInitialization&&(t["fs:#main-start"]=t["fs:#main-start"]||[],t["fs:#main-start"].push({injection:r.fragmentInitialization,order:Number.MIN_SAFE_INTEGER}))}function SC(r){return{...r.instance?.normalizedInjections.vertex||{},...r.instance?.normalizedInjections.fragment||{}}}function TC(r){let e=[...r["vs:#decl"]||[],...r["fs:#decl"]||[]];return e.length?{"vs:#decl":e}:{}}function LC(r,e){return dc(r.vertex,e,"wgsl")+dc(r.fragment,e,"wgsl")}function CC(r={}){let e="";for(let t in r){let i=r[t];(i||Number.isFinite(i))&&(e+=`#define ${t.toUpperCase()} ${r[t]}
`)}return e}function yx(r,e,t){let i;switch(e){case"vertex":i=r.vs||"";break;case"fragment":i=r.fs||"";break;case"wgsl":i=r.source||"";break;default:Wt(!1)}if(!r.name)throw new Error("Shader module must have a name");Ad(r,e,{log:t});let n=r.name.toUpperCase().replace(/[^0-9a-z]/gi,"_"),o=`// ----- MODULE ${r.name} ---------------

`;return e!=="wgsl"&&(o+=`#define MODULE_${n}
`),o+=`${i}
`,o}function AC(r){let e=new Map;for(let t of kr(r,h_)){let i=Number(t.bindingToken),n=Number(t.groupToken);Gd(n,i,t.name),zi(e,n,i,`application binding "${t.name}"`)}return e}function MC(r){let e=kr(r,Fa),t=new Map;for(let o of e){if(o.bindingToken==="auto")continue;let s=Number(o.bindingToken),a=Number(o.groupToken);Gd(a,s,o.name),zi(t,a,s,`application binding "${o.name}"`)}let i={sawSupportedBindingDeclaration:e.length>0},n=Du(r,Fa,o=>OC(o,t,i));if(ku(r)&&!i.sawSupportedBindingDeclaration)throw new Error('Unsupported @binding(auto) declaration form in application WGSL. Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.');return{source:n}}function IC(r,e,t){let i=[],o={sawSupportedBindingDeclaration:kr(r,Mi).length>0,nextHintedBindingLocation:typeof e.firstBindingSlot=="number"?e.firstBindingSlot:null},s=Du(r,Mi,a=>RC(a,{module:e,context:t,bindingAssignments:i,relocationState:o}));if(ku(r)&&!o.sawSupportedBindingDeclaration)throw new Error(`Unsupported @binding(auto) declaration form in module "${e.name}". Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.`);return{source:s,bindingAssignments:i}}function RC(r,e){let{module:t,context:i,bindingAssignments:n,relocationState:o}=e,{match:s,bindingToken:a,groupToken:c,name:l}=r,f=Number(c);if(a==="auto"){let d=xx(f,t.name,l),h=i.bindingRegistry?.get(d),p=h!==void 0?h:NC(f,i.usedBindingsByGroup,t.name,o.nextHintedBindingLocation??void 0,i.bindingRegistry);return hx(t.name,f,p,l),h!==void 0&&DC(i.reservedBindingKeysByGroup,f,p,d)?(n.push({moduleName:t.name,name:l,group:f,location:p}),s.replace(/@binding\(\s*auto\s*\)/,`@binding(${p})`)):(zi(i.usedBindingsByGroup,f,p,`module "${t.name}" binding "${l}"`),i.bindingRegistry?.set(d,p),n.push({moduleName:t.name,name:l,group:f,location:p}),o.nextHintedBindingLocation!==null&&h===void 0&&(o.nextHintedBindingLocation=p+1),s.replace(/@binding\(\s*auto\s*\)/,`@binding(${p})`))}let u=Number(a);return hx(t.name,f,u,l),zi(i.usedBindingsByGroup,f,u,`module "${t.name}" binding "${l}"`),n.push({moduleName:t.name,name:l,group:f,location:u}),s}function OC(r,e,t){let{match:i,bindingToken:n,groupToken:o,name:s}=r,a=Number(o);if(n==="auto"){let c=FC(a,e);return Gd(a,c,s),zi(e,a,c,`application binding "${s}"`),i.replace(/@binding\(\s*auto\s*\)/,`@binding(${c})`)}return t.sawSupportedBindingDeclaration=!0,i}function BC(r,e,t,i){let n=new Map;if(!e)return n;for(let o of r)for(let s of kC(o,i)){let a=xx(s.group,o.name,s.name),c=e.get(a);if(c!==void 0){let l=n.get(s.group)||new Map,f=l.get(c);if(f&&f!==a)throw new Error(`Duplicate WGSL binding reservation for modules "${f}" and "${a}": group ${s.group}, binding ${c}.`);zi(t,s.group,c,`registered module binding "${a}"`),l.set(c,a),n.set(s.group,l)}}return n}function DC(r,e,t,i){let n=r.get(e);if(!n)return!1;let o=n.get(t);if(!o)return!1;if(o!==i)throw new Error(`Registered module binding "${i}" collided with "${o}": group ${e}, binding ${t}.`);return!0}function kC(r,e){let t=[],i=Xr(r.source||"",{defines:e});for(let n of kr(i,Mi))t.push({name:n.name,group:Number(n.groupToken)});return t}function Gd(r,e,t){if(r===0&&e>=Po)throw new Error(`Application binding "${t}" in group 0 uses reserved binding ${e}. Application-owned explicit group-0 bindings must stay below ${Po}.`)}function hx(r,e,t,i){if(e===0&&t<Po)throw new Error(`Module "${r}" binding "${i}" in group 0 uses reserved application binding ${t}. Module-owned explicit group-0 bindings must be ${Po} or higher.`)}function zi(r,e,t,i){let n=r.get(e)||new Set;if(n.has(t))throw new Error(`Duplicate WGSL binding assignment for ${i}: group ${e}, binding ${t}.`);n.add(t),r.set(e,n)}function NC(r,e,t,i,n){let o=e.get(r)||new Set,s=new Set,a=`${r}:`,c=`${a}${t}:`;for(let[f,u]of n||[])f.startsWith(c)&&s.add(u);let l=i??(r===0?Po:o.size>0?Math.max(...o)+1:0);for(;o.has(l)||s.has(l);)l++;for(let[f,u]of n||[])u===l&&f.startsWith(a)&&n?.delete(f);return l}function FC(r,e){let t=e.get(r)||new Set,i=0;for(;t.has(i);)i++;return i}function zC(r){let e=p_(r,Mi);if(!e)return;let t=GC(r,e.index);throw t?new Error(`Unresolved @binding(auto) for module "${t}" binding "${e.name}" remained in assembled WGSL source.`):VC(r,e.index)?new Error(`Unresolved @binding(auto) for application binding "${e.name}" remained in assembled WGSL source.`):new Error(`Unresolved @binding(auto) remained in assembled WGSL source near "${$C(e.match)}".`)}function UC(r){if(r.length===0)return"";let e=`// ----- MODULE WGSL BINDING ASSIGNMENTS ---------------
`;for(let t of r)e+=`// ${t.moduleName}.${t.name} -> @group(${t.group}) @binding(${t.location})
`;return e+=`
`,e}function xx(r,e,t){return`${r}:${e}:${t}`}function GC(r,e){let t=/^\/\/ ----- MODULE ([^\n]+) ---------------$/gm,i,n;for(n=t.exec(r);n&&n.index<=e;)i=n[1],n=t.exec(r);return i}function VC(r,e){let t=r.indexOf(Ud);return t>=0?e>t:!0}function $C(r){return r.replace(/\s+/g," ").trim()}var Ud,Po,vC,bx=x(()=>{Hu();Hy();Wu();Xy();ja();Id();Ky();$a();Jy();Bd();Gu();Dd();kd();ux();za();Ud=`

${Kn}
`,Po=100,vC=`precision highp float;
`});var Qe,Ui,hr,vx=x(()=>{ja();bx();Bd();Dd();Gu();$a();Qe=class r{static defaultShaderAssemblers={};_hookFunctions=[];_defaultModules=[];static getDefaultShaderAssembler(e){return Wt(e==="glsl"||e==="wgsl"),e==="wgsl"?(r.defaultShaderAssemblers.wgsl=r.defaultShaderAssemblers.wgsl||new hr,r.defaultShaderAssemblers.wgsl):(r.defaultShaderAssemblers.glsl=r.defaultShaderAssemblers.glsl||new Ui,r.defaultShaderAssemblers.glsl)}addDefaultModule(e){this._defaultModules.find(t=>t.name===(typeof e=="string"?e:e.name))||this._defaultModules.push(e)}removeDefaultModule(e){let t=typeof e=="string"?e:e.name;this._defaultModules=this._defaultModules.filter(i=>i.name!==t)}addShaderHook(e,t){t&&(e=Object.assign(t,{hook:e})),this._hookFunctions.push(e)}_getModuleList(e=[]){let t=new Array(this._defaultModules.length+e.length),i={},n=0;for(let o=0,s=this._defaultModules.length;o<s;++o){let a=this._defaultModules[o],c=a.name;t[n++]=a,i[c]=!0}for(let o=0,s=e.length;o<s;++o){let a=e[o],c=a.name;i[c]||(t[n++]=a,i[c]=!0)}return t.length=n,Ri(t),t}},Ui=class extends Qe{shaderLanguage="glsl";assembleGLSLShaderPair(e){let t=this._getModuleList(e.modules),i=this._hookFunctions;return{...gx({...e,vs:e.vs,fs:e.fs,modules:t,hookFunctions:i}),modules:t}}},hr=class r extends Qe{shaderLanguage="wgsl";_wgslBindingRegistry=new Map;assembleWGSLShader(e){let t=this._getModuleList(e.modules),i=this._hookFunctions,n=r.getShaderPreprocessorDefines(e,t),o=e.platformInfo.shaderLanguage==="wgsl"&&e.source?Xr(e.source,{defines:n}):e.source,{source:s,getUniforms:a,bindingAssignments:c}=px({...e,source:o,defines:n,_bindingRegistry:this._wgslBindingRegistry,modules:t,hookFunctions:i}),l=e.platformInfo.shaderLanguage==="wgsl"?Xr(s,{defines:n}):s;return{source:l,getUniforms:a,modules:t,bindingAssignments:c,bindingTable:hc(l,c),shaderLayout:Ga(l,{vertexEntryPoint:e.vertexEntryPoint,scanVertexAttributes:e.scanVertexAttributes})}}static getShaderPreprocessorDefines(e,t){return{...r.getPlatformPreprocessorDefines(e.platformInfo),...t.reduce((i,n)=>(Object.assign(i,n.defines),i),{}),...e.defines}}static getPlatformPreprocessorDefines(e){let t=e.limits||{};return{LUMA_SUPPORTS_VERTEX_STORAGE_BUFFERS:e.type==="webgpu"&&(t.maxStorageBuffersInVertexStage||0)>0,LUMA_FP32_TAN_PRECISION_WORKAROUND:e.type==="webgpu"&&e.gpu.toLowerCase()!=="nvidia"&&e.gpu.toLowerCase()!=="amd",LUMA_FP64_INTEGER_ARITHMETIC:e.type==="webgpu"&&e.gpu.toLowerCase()==="apple"}}}});function Vd(r){let{input:e,inputChannels:t,output:i}=r||{};if(!e)return jC;if(!t)throw new Error("inputChannels");let n=HC(t),o=wx(e,t);return`#version 300 es
in ${n} ${e};
out vec4 ${i};
void main() {
  ${i} = ${o};
}`}function HC(r){switch(r){case 1:return"float";case 2:return"vec2";case 3:return"vec3";case 4:return"vec4";default:throw new Error(`invalid channels: ${r}`)}}function wx(r,e){switch(e){case 1:return`vec4(${r}, 0.0, 0.0, 1.0)`;case 2:return`vec4(${r}, 0.0, 1.0)`;case 3:return`vec4(${r}, 1.0)`;case 4:return r;default:throw new Error(`invalid channels: ${e}`)}}var WC,jC,Px=x(()=>{WC=`out vec4 transform_output;
void main() {
  transform_output = vec4(0);
}`,jC=`#version 300 es
${WC}`});function $d(r,{precision:e=le.precision}={}){return r=qC(r),`${parseFloat(r.toPrecision(e))}`}function Ht(r){return Array.isArray(r)||ArrayBuffer.isView(r)&&!(r instanceof DataView)}function Me(r,e,t){return XC(r,i=>Math.max(e,Math.min(t,i)))}function nt(r,e,t){return Ht(r)?r.map((i,n)=>nt(i,e[n],t)):t*e+(1-t)*r}function Tt(r,e,t){let i=le.EPSILON;t&&(le.EPSILON=t);try{if(r===e)return!0;if(Ht(r)&&Ht(e)){if(r.length!==e.length)return!1;for(let n=0;n<r.length;++n)if(!Tt(r[n],e[n]))return!1;return!0}return r&&r.equals?r.equals(e):e&&e.equals?e.equals(r):typeof r=="number"&&typeof e=="number"?Math.abs(r-e)<=le.EPSILON*Math.max(1,Math.abs(r),Math.abs(e)):!1}finally{le.EPSILON=i}}function qC(r){return Math.round(r/le.EPSILON)*le.EPSILON}function ZC(r){return r.clone?r.clone():new Array(r.length)}function XC(r,e,t){if(Ht(r)){let i=r;t=t||ZC(i);for(let n=0;n<t.length&&n<i.length;++n){let o=typeof r=="number"?r:r[n];t[n]=e(o,n,t)}return t}return e(r)}var U5,G5,YC,le,Gi=x(()=>{U5=1/Math.PI*180,G5=1/180*Math.PI,YC={EPSILON:1e-12,debug:!1,precision:4,printTypes:!1,printDegrees:!1,printRowMajor:!0,_cartographicRadians:!1};globalThis.mathgl=globalThis.mathgl||{config:{...YC}};le=globalThis.mathgl.config});var Vi,Wd=x(()=>{Gi();Vi=class extends Array{clone(){return new this.constructor().copy(this)}fromArray(e,t=0){for(let i=0;i<this.ELEMENTS;++i)this[i]=e[i+t];return this.check()}toArray(e=[],t=0){for(let i=0;i<this.ELEMENTS;++i)e[t+i]=this[i];return e}toObject(e){return e}from(e){return Array.isArray(e)?this.copy(e):this.fromObject(e)}to(e){return e===this?this:Ht(e)?this.toArray(e):this.toObject(e)}toTarget(e){return e?this.to(e):this}toFloat32Array(){return new Float32Array(this)}toString(){return this.formatString(le)}formatString(e){let t="";for(let i=0;i<this.ELEMENTS;++i)t+=(i>0?", ":"")+$d(this[i],e);return`${e.printTypes?this.constructor.name:""}[${t}]`}equals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(!Tt(this[t],e[t]))return!1;return!0}exactEquals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(this[t]!==e[t])return!1;return!0}negate(){for(let e=0;e<this.ELEMENTS;++e)this[e]=-this[e];return this.check()}lerp(e,t,i){if(i===void 0)return this.lerp(this,e,t);for(let n=0;n<this.ELEMENTS;++n){let o=e[n],s=typeof t=="number"?t:t[n];this[n]=o+i*(s-o)}return this.check()}min(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.min(e[t],this[t]);return this.check()}max(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.max(e[t],this[t]);return this.check()}clamp(e,t){for(let i=0;i<this.ELEMENTS;++i)this[i]=Math.min(Math.max(this[i],e[i]),t[i]);return this.check()}add(...e){for(let t of e)for(let i=0;i<this.ELEMENTS;++i)this[i]+=t[i];return this.check()}subtract(...e){for(let t of e)for(let i=0;i<this.ELEMENTS;++i)this[i]-=t[i];return this.check()}scale(e){if(typeof e=="number")for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;else for(let t=0;t<this.ELEMENTS&&t<e.length;++t)this[t]*=e[t];return this.check()}multiplyByScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}check(){if(le.debug&&!this.validate())throw new Error(`math.gl: ${this.constructor.name} some fields set to invalid numbers'`);return this}validate(){let e=this.length===this.ELEMENTS;for(let t=0;t<this.ELEMENTS;++t)e=e&&Number.isFinite(this[t]);return e}sub(e){return this.subtract(e)}setScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=e;return this.check()}addScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]+=e;return this.check()}subScalar(e){return this.addScalar(-e)}multiplyScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}divideScalar(e){return this.multiplyByScalar(1/e)}clampScalar(e,t){for(let i=0;i<this.ELEMENTS;++i)this[i]=Math.min(Math.max(this[i],e),t);return this.check()}get elements(){return this}}});function KC(r,e){if(r.length!==e)return!1;for(let t=0;t<r.length;++t)if(!Number.isFinite(r[t]))return!1;return!0}function xe(r){if(!Number.isFinite(r))throw new Error(`Invalid number ${JSON.stringify(r)}`);return r}function xc(r,e,t=""){if(le.debug&&!KC(r,e))throw new Error(`math.gl: ${t} some fields set to invalid numbers'`);return r}var Eo=x(()=>{Gi()});function jd(r,e){if(!r)throw new Error(`math.gl assertion ${e}`)}var Ex=x(()=>{});var bc,Sx=x(()=>{Wd();Eo();Ex();bc=class extends Vi{get x(){return this[0]}set x(e){this[0]=xe(e)}get y(){return this[1]}set y(e){this[1]=xe(e)}len(){return Math.sqrt(this.lengthSquared())}magnitude(){return this.len()}lengthSquared(){let e=0;for(let t=0;t<this.ELEMENTS;++t)e+=this[t]*this[t];return e}magnitudeSquared(){return this.lengthSquared()}distance(e){return Math.sqrt(this.distanceSquared(e))}distanceSquared(e){let t=0;for(let i=0;i<this.ELEMENTS;++i){let n=this[i]-e[i];t+=n*n}return xe(t)}dot(e){let t=0;for(let i=0;i<this.ELEMENTS;++i)t+=this[i]*e[i];return xe(t)}normalize(){let e=this.magnitude();if(e!==0)for(let t=0;t<this.ELEMENTS;++t)this[t]/=e;return this.check()}multiply(...e){for(let t of e)for(let i=0;i<this.ELEMENTS;++i)this[i]*=t[i];return this.check()}divide(...e){for(let t of e)for(let i=0;i<this.ELEMENTS;++i)this[i]/=t[i];return this.check()}lengthSq(){return this.lengthSquared()}distanceTo(e){return this.distance(e)}distanceToSquared(e){return this.distanceSquared(e)}getComponent(e){return jd(e>=0&&e<this.ELEMENTS,"index is out of range"),xe(this[e])}setComponent(e,t){return jd(e>=0&&e<this.ELEMENTS,"index is out of range"),this[e]=t,this.check()}addVectors(e,t){return this.copy(e).add(t)}subVectors(e,t){return this.copy(e).subtract(t)}multiplyVectors(e,t){return this.copy(e).multiply(t)}addScaledVector(e,t){return this.add(new this.constructor(e).multiplyScalar(t))}}});function Je(r){return r>=0?Math.round(r):r%.5===0?Math.floor(r):Math.round(r)}var Y,Lt,Q5,Qr=x(()=>{Y=typeof Float32Array<"u"?Float32Array:Array,Lt=Math.random;Q5=Math.PI/180});var ot={};Gt(ot,{add:()=>rA,angle:()=>vA,ceil:()=>iA,clone:()=>QC,copy:()=>eA,create:()=>Tx,cross:()=>pA,dist:()=>MA,distance:()=>Mx,div:()=>AA,divide:()=>Ax,dot:()=>hA,equals:()=>SA,exactEquals:()=>EA,floor:()=>nA,forEach:()=>OA,fromValues:()=>JC,inverse:()=>uA,len:()=>TA,length:()=>Rx,lerp:()=>gA,max:()=>sA,min:()=>oA,mul:()=>CA,multiply:()=>Cx,negate:()=>fA,normalize:()=>dA,random:()=>mA,rotate:()=>bA,round:()=>aA,scale:()=>cA,scaleAndAdd:()=>lA,set:()=>tA,sqrDist:()=>IA,sqrLen:()=>RA,squaredDistance:()=>Ix,squaredLength:()=>Ox,str:()=>PA,sub:()=>LA,subtract:()=>Lx,transformMat2:()=>_A,transformMat2d:()=>yA,transformMat3:()=>xA,transformMat4:()=>Hd,zero:()=>wA});function Tx(){let r=new Y(2);return Y!=Float32Array&&(r[0]=0,r[1]=0),r}function QC(r){let e=new Y(2);return e[0]=r[0],e[1]=r[1],e}function JC(r,e){let t=new Y(2);return t[0]=r,t[1]=e,t}function eA(r,e){return r[0]=e[0],r[1]=e[1],r}function tA(r,e,t){return r[0]=e,r[1]=t,r}function rA(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r}function Lx(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r}function Cx(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r}function Ax(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r}function iA(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r}function nA(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r}function oA(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r}function sA(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r}function aA(r,e){return r[0]=Je(e[0]),r[1]=Je(e[1]),r}function cA(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r}function lA(r,e,t,i){return r[0]=e[0]+t[0]*i,r[1]=e[1]+t[1]*i,r}function Mx(r,e){let t=e[0]-r[0],i=e[1]-r[1];return Math.sqrt(t*t+i*i)}function Ix(r,e){let t=e[0]-r[0],i=e[1]-r[1];return t*t+i*i}function Rx(r){let e=r[0],t=r[1];return Math.sqrt(e*e+t*t)}function Ox(r){let e=r[0],t=r[1];return e*e+t*t}function fA(r,e){return r[0]=-e[0],r[1]=-e[1],r}function uA(r,e){return r[0]=1/e[0],r[1]=1/e[1],r}function dA(r,e){let t=e[0],i=e[1],n=t*t+i*i;return n>0&&(n=1/Math.sqrt(n)),r[0]=e[0]*n,r[1]=e[1]*n,r}function hA(r,e){return r[0]*e[0]+r[1]*e[1]}function pA(r,e,t){let i=e[0]*t[1]-e[1]*t[0];return r[0]=r[1]=0,r[2]=i,r}function gA(r,e,t,i){let n=e[0],o=e[1];return r[0]=n+i*(t[0]-n),r[1]=o+i*(t[1]-o),r}function mA(r,e){e=e===void 0?1:e;let t=Lt()*2*Math.PI;return r[0]=Math.cos(t)*e,r[1]=Math.sin(t)*e,r}function _A(r,e,t){let i=e[0],n=e[1];return r[0]=t[0]*i+t[2]*n,r[1]=t[1]*i+t[3]*n,r}function yA(r,e,t){let i=e[0],n=e[1];return r[0]=t[0]*i+t[2]*n+t[4],r[1]=t[1]*i+t[3]*n+t[5],r}function xA(r,e,t){let i=e[0],n=e[1];return r[0]=t[0]*i+t[3]*n+t[6],r[1]=t[1]*i+t[4]*n+t[7],r}function Hd(r,e,t){let i=e[0],n=e[1];return r[0]=t[0]*i+t[4]*n+t[12],r[1]=t[1]*i+t[5]*n+t[13],r}function bA(r,e,t,i){let n=e[0]-t[0],o=e[1]-t[1],s=Math.sin(i),a=Math.cos(i);return r[0]=n*a-o*s+t[0],r[1]=n*s+o*a+t[1],r}function vA(r,e){let t=r[0],i=r[1],n=e[0],o=e[1],s=Math.sqrt((t*t+i*i)*(n*n+o*o)),a=s&&(t*n+i*o)/s;return Math.acos(Math.min(Math.max(a,-1),1))}function wA(r){return r[0]=0,r[1]=0,r}function PA(r){return`vec2(${r[0]}, ${r[1]})`}function EA(r,e){return r[0]===e[0]&&r[1]===e[1]}function SA(r,e){let t=r[0],i=r[1],n=e[0],o=e[1];return Math.abs(t-n)<=1e-6*Math.max(1,Math.abs(t),Math.abs(n))&&Math.abs(i-o)<=1e-6*Math.max(1,Math.abs(i),Math.abs(o))}var TA,LA,CA,AA,MA,IA,RA,OA,Yd=x(()=>{Qr();TA=Rx,LA=Lx,CA=Cx,AA=Ax,MA=Mx,IA=Ix,RA=Ox,OA=(function(){let r=Tx();return function(e,t,i,n,o,s){let a,c;for(t||(t=2),i||(i=0),n?c=Math.min(n*t+i,e.length):c=e.length,a=i;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],o(r,r,s),e[a]=r[0],e[a+1]=r[1];return e}})()});function Bx(r,e,t){let i=e[0],n=e[1],o=t[3]*i+t[7]*n||1;return r[0]=(t[0]*i+t[4]*n)/o,r[1]=(t[1]*i+t[5]*n)/o,r}function vc(r,e,t){let i=e[0],n=e[1],o=e[2],s=t[3]*i+t[7]*n+t[11]*o||1;return r[0]=(t[0]*i+t[4]*n+t[8]*o)/s,r[1]=(t[1]*i+t[5]*n+t[9]*o)/s,r[2]=(t[2]*i+t[6]*n+t[10]*o)/s,r}function Dx(r,e,t){let i=e[0],n=e[1];return r[0]=t[0]*i+t[2]*n,r[1]=t[1]*i+t[3]*n,r[2]=e[2],r}var qd=x(()=>{});var ei={};Gt(ei,{add:()=>NA,angle:()=>th,bezier:()=>XA,ceil:()=>FA,clone:()=>BA,copy:()=>DA,create:()=>wc,cross:()=>Jr,dist:()=>oM,distance:()=>Ux,div:()=>nM,divide:()=>zx,dot:()=>So,equals:()=>tM,exactEquals:()=>eM,floor:()=>zA,forEach:()=>cM,fromValues:()=>Pc,hermite:()=>ZA,inverse:()=>HA,len:()=>rh,length:()=>kx,lerp:()=>YA,max:()=>GA,min:()=>UA,mul:()=>iM,multiply:()=>Fx,negate:()=>jA,normalize:()=>Zd,random:()=>KA,rotateX:()=>Qd,rotateY:()=>Jd,rotateZ:()=>eh,round:()=>VA,scale:()=>$A,scaleAndAdd:()=>WA,set:()=>kA,slerp:()=>qA,sqrDist:()=>sM,sqrLen:()=>aM,squaredDistance:()=>Gx,squaredLength:()=>Vx,str:()=>JA,sub:()=>rM,subtract:()=>Nx,transformMat3:()=>Xd,transformMat4:()=>To,transformQuat:()=>Kd,zero:()=>QA});function wc(){let r=new Y(3);return Y!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0),r}function BA(r){let e=new Y(3);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e}function kx(r){let e=r[0],t=r[1],i=r[2];return Math.sqrt(e*e+t*t+i*i)}function Pc(r,e,t){let i=new Y(3);return i[0]=r,i[1]=e,i[2]=t,i}function DA(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r}function kA(r,e,t,i){return r[0]=e,r[1]=t,r[2]=i,r}function NA(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r}function Nx(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r}function Fx(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r[2]=e[2]*t[2],r}function zx(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r[2]=e[2]/t[2],r}function FA(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r[2]=Math.ceil(e[2]),r}function zA(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r[2]=Math.floor(e[2]),r}function UA(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r[2]=Math.min(e[2],t[2]),r}function GA(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r[2]=Math.max(e[2],t[2]),r}function VA(r,e){return r[0]=Je(e[0]),r[1]=Je(e[1]),r[2]=Je(e[2]),r}function $A(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r}function WA(r,e,t,i){return r[0]=e[0]+t[0]*i,r[1]=e[1]+t[1]*i,r[2]=e[2]+t[2]*i,r}function Ux(r,e){let t=e[0]-r[0],i=e[1]-r[1],n=e[2]-r[2];return Math.sqrt(t*t+i*i+n*n)}function Gx(r,e){let t=e[0]-r[0],i=e[1]-r[1],n=e[2]-r[2];return t*t+i*i+n*n}function Vx(r){let e=r[0],t=r[1],i=r[2];return e*e+t*t+i*i}function jA(r,e){return r[0]=-e[0],r[1]=-e[1],r[2]=-e[2],r}function HA(r,e){return r[0]=1/e[0],r[1]=1/e[1],r[2]=1/e[2],r}function Zd(r,e){let t=e[0],i=e[1],n=e[2],o=t*t+i*i+n*n;return o>0&&(o=1/Math.sqrt(o)),r[0]=e[0]*o,r[1]=e[1]*o,r[2]=e[2]*o,r}function So(r,e){return r[0]*e[0]+r[1]*e[1]+r[2]*e[2]}function Jr(r,e,t){let i=e[0],n=e[1],o=e[2],s=t[0],a=t[1],c=t[2];return r[0]=n*c-o*a,r[1]=o*s-i*c,r[2]=i*a-n*s,r}function YA(r,e,t,i){let n=e[0],o=e[1],s=e[2];return r[0]=n+i*(t[0]-n),r[1]=o+i*(t[1]-o),r[2]=s+i*(t[2]-s),r}function qA(r,e,t,i){let n=Math.acos(Math.min(Math.max(So(e,t),-1),1)),o=Math.sin(n),s=Math.sin((1-i)*n)/o,a=Math.sin(i*n)/o;return r[0]=s*e[0]+a*t[0],r[1]=s*e[1]+a*t[1],r[2]=s*e[2]+a*t[2],r}function ZA(r,e,t,i,n,o){let s=o*o,a=s*(2*o-3)+1,c=s*(o-2)+o,l=s*(o-1),f=s*(3-2*o);return r[0]=e[0]*a+t[0]*c+i[0]*l+n[0]*f,r[1]=e[1]*a+t[1]*c+i[1]*l+n[1]*f,r[2]=e[2]*a+t[2]*c+i[2]*l+n[2]*f,r}function XA(r,e,t,i,n,o){let s=1-o,a=s*s,c=o*o,l=a*s,f=3*o*a,u=3*c*s,d=c*o;return r[0]=e[0]*l+t[0]*f+i[0]*u+n[0]*d,r[1]=e[1]*l+t[1]*f+i[1]*u+n[1]*d,r[2]=e[2]*l+t[2]*f+i[2]*u+n[2]*d,r}function KA(r,e){e=e===void 0?1:e;let t=Lt()*2*Math.PI,i=Lt()*2-1,n=Math.sqrt(1-i*i)*e;return r[0]=Math.cos(t)*n,r[1]=Math.sin(t)*n,r[2]=i*e,r}function To(r,e,t){let i=e[0],n=e[1],o=e[2],s=t[3]*i+t[7]*n+t[11]*o+t[15];return s=s||1,r[0]=(t[0]*i+t[4]*n+t[8]*o+t[12])/s,r[1]=(t[1]*i+t[5]*n+t[9]*o+t[13])/s,r[2]=(t[2]*i+t[6]*n+t[10]*o+t[14])/s,r}function Xd(r,e,t){let i=e[0],n=e[1],o=e[2];return r[0]=i*t[0]+n*t[3]+o*t[6],r[1]=i*t[1]+n*t[4]+o*t[7],r[2]=i*t[2]+n*t[5]+o*t[8],r}function Kd(r,e,t){let i=t[0],n=t[1],o=t[2],s=t[3],a=e[0],c=e[1],l=e[2],f=n*l-o*c,u=o*a-i*l,d=i*c-n*a,h=n*d-o*u,p=o*f-i*d,g=i*u-n*f,m=s*2;return f*=m,u*=m,d*=m,h*=2,p*=2,g*=2,r[0]=a+f+h,r[1]=c+u+p,r[2]=l+d+g,r}function Qd(r,e,t,i){let n=[],o=[];return n[0]=e[0]-t[0],n[1]=e[1]-t[1],n[2]=e[2]-t[2],o[0]=n[0],o[1]=n[1]*Math.cos(i)-n[2]*Math.sin(i),o[2]=n[1]*Math.sin(i)+n[2]*Math.cos(i),r[0]=o[0]+t[0],r[1]=o[1]+t[1],r[2]=o[2]+t[2],r}function Jd(r,e,t,i){let n=[],o=[];return n[0]=e[0]-t[0],n[1]=e[1]-t[1],n[2]=e[2]-t[2],o[0]=n[2]*Math.sin(i)+n[0]*Math.cos(i),o[1]=n[1],o[2]=n[2]*Math.cos(i)-n[0]*Math.sin(i),r[0]=o[0]+t[0],r[1]=o[1]+t[1],r[2]=o[2]+t[2],r}function eh(r,e,t,i){let n=[],o=[];return n[0]=e[0]-t[0],n[1]=e[1]-t[1],n[2]=e[2]-t[2],o[0]=n[0]*Math.cos(i)-n[1]*Math.sin(i),o[1]=n[0]*Math.sin(i)+n[1]*Math.cos(i),o[2]=n[2],r[0]=o[0]+t[0],r[1]=o[1]+t[1],r[2]=o[2]+t[2],r}function th(r,e){let t=r[0],i=r[1],n=r[2],o=e[0],s=e[1],a=e[2],c=Math.sqrt((t*t+i*i+n*n)*(o*o+s*s+a*a)),l=c&&So(r,e)/c;return Math.acos(Math.min(Math.max(l,-1),1))}function QA(r){return r[0]=0,r[1]=0,r[2]=0,r}function JA(r){return`vec3(${r[0]}, ${r[1]}, ${r[2]})`}function eM(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]}function tM(r,e){let t=r[0],i=r[1],n=r[2],o=e[0],s=e[1],a=e[2];return Math.abs(t-o)<=1e-6*Math.max(1,Math.abs(t),Math.abs(o))&&Math.abs(i-s)<=1e-6*Math.max(1,Math.abs(i),Math.abs(s))&&Math.abs(n-a)<=1e-6*Math.max(1,Math.abs(n),Math.abs(a))}var rM,iM,nM,oM,sM,rh,aM,cM,Lo=x(()=>{Qr();rM=Nx,iM=Fx,nM=zx,oM=Ux,sM=Gx,rh=kx,aM=Vx,cM=(function(){let r=wc();return function(e,t,i,n,o,s){let a,c;for(t||(t=3),i||(i=0),n?c=Math.min(n*t+i,e.length):c=e.length,a=i;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],r[2]=e[a+2],o(r,r,s),e[a]=r[0],e[a+1]=r[1],e[a+2]=r[2];return e}})()});var ih,Ec,be,$x=x(()=>{Sx();Gi();Eo();Lo();qd();ih=[0,0,0],be=class r extends bc{static get ZERO(){return Ec||(Ec=new r(0,0,0),Object.freeze(Ec)),Ec}constructor(e=0,t=0,i=0){super(-0,-0,-0),arguments.length===1&&Ht(e)?this.copy(e):(le.debug&&(xe(e),xe(t),xe(i)),this[0]=e,this[1]=t,this[2]=i)}set(e,t,i){return this[0]=e,this[1]=t,this[2]=i,this.check()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this.check()}fromObject(e){return le.debug&&(xe(e.x),xe(e.y),xe(e.z)),this[0]=e.x,this[1]=e.y,this[2]=e.z,this.check()}toObject(e){return e.x=this[0],e.y=this[1],e.z=this[2],e}get ELEMENTS(){return 3}get z(){return this[2]}set z(e){this[2]=xe(e)}angle(e){return th(this,e)}cross(e){return Jr(this,this,e),this.check()}rotateX({radians:e,origin:t=ih}){return Qd(this,this,t,e),this.check()}rotateY({radians:e,origin:t=ih}){return Jd(this,this,t,e),this.check()}rotateZ({radians:e,origin:t=ih}){return eh(this,this,t,e),this.check()}transform(e){return this.transformAsPoint(e)}transformAsPoint(e){return To(this,this,e),this.check()}transformAsVector(e){return vc(this,this,e),this.check()}transformByMatrix3(e){return Xd(this,this,e),this.check()}transformByMatrix2(e){return Dx(this,this,e),this.check()}transformByQuaternion(e){return Kd(this,this,e),this.check()}}});var Sc,Wx=x(()=>{Wd();Eo();Gi();Sc=class extends Vi{toString(){let e="[";if(le.printRowMajor){e+="row-major:";for(let t=0;t<this.RANK;++t)for(let i=0;i<this.RANK;++i)e+=` ${this[i*this.RANK+t]}`}else{e+="column-major:";for(let t=0;t<this.ELEMENTS;++t)e+=` ${this[t]}`}return e+="]",e}getElementIndex(e,t){return t*this.RANK+e}getElement(e,t){return this[t*this.RANK+e]}setElement(e,t,i){return this[t*this.RANK+e]=xe(i),this}getColumn(e,t=new Array(this.RANK).fill(-0)){let i=e*this.RANK;for(let n=0;n<this.RANK;++n)t[n]=this[i+n];return t}setColumn(e,t){let i=e*this.RANK;for(let n=0;n<this.RANK;++n)this[i+n]=t[n];return this}}});function jx(){let r=new Y(9);return Y!=Float32Array&&(r[1]=0,r[2]=0,r[3]=0,r[5]=0,r[6]=0,r[7]=0),r[0]=1,r[4]=1,r[8]=1,r}var nh=x(()=>{Qr()});var se={};Gt(se,{add:()=>OM,adjoint:()=>pM,clone:()=>fM,copy:()=>uM,create:()=>lM,decompose:()=>EM,determinant:()=>ah,equals:()=>NM,exactEquals:()=>kM,frob:()=>RM,fromQuat:()=>ph,fromQuat2:()=>vM,fromRotation:()=>_M,fromRotationTranslation:()=>qx,fromRotationTranslationScale:()=>SM,fromRotationTranslationScaleOrigin:()=>TM,fromScaling:()=>mM,fromTranslation:()=>gM,fromValues:()=>dM,fromXRotation:()=>yM,fromYRotation:()=>xM,fromZRotation:()=>bM,frustum:()=>gh,getRotation:()=>PM,getScaling:()=>Zx,getTranslation:()=>wM,identity:()=>Yx,invert:()=>sh,lookAt:()=>yh,mul:()=>FM,multiply:()=>Co,multiplyScalar:()=>BM,multiplyScalarAndAdd:()=>DM,ortho:()=>_h,orthoNO:()=>Kx,orthoZO:()=>AM,perspective:()=>mh,perspectiveFromFieldOfView:()=>CM,perspectiveNO:()=>Xx,perspectiveZO:()=>LM,rotate:()=>fh,rotateX:()=>uh,rotateY:()=>dh,rotateZ:()=>hh,scale:()=>lh,set:()=>hM,str:()=>IM,sub:()=>zM,subtract:()=>Qx,targetTo:()=>MM,translate:()=>ch,transpose:()=>oh});function lM(){let r=new Y(16);return Y!=Float32Array&&(r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=0,r[12]=0,r[13]=0,r[14]=0),r[0]=1,r[5]=1,r[10]=1,r[15]=1,r}function fM(r){let e=new Y(16);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e[3]=r[3],e[4]=r[4],e[5]=r[5],e[6]=r[6],e[7]=r[7],e[8]=r[8],e[9]=r[9],e[10]=r[10],e[11]=r[11],e[12]=r[12],e[13]=r[13],e[14]=r[14],e[15]=r[15],e}function uM(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r[4]=e[4],r[5]=e[5],r[6]=e[6],r[7]=e[7],r[8]=e[8],r[9]=e[9],r[10]=e[10],r[11]=e[11],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15],r}function dM(r,e,t,i,n,o,s,a,c,l,f,u,d,h,p,g){let m=new Y(16);return m[0]=r,m[1]=e,m[2]=t,m[3]=i,m[4]=n,m[5]=o,m[6]=s,m[7]=a,m[8]=c,m[9]=l,m[10]=f,m[11]=u,m[12]=d,m[13]=h,m[14]=p,m[15]=g,m}function hM(r,e,t,i,n,o,s,a,c,l,f,u,d,h,p,g,m){return r[0]=e,r[1]=t,r[2]=i,r[3]=n,r[4]=o,r[5]=s,r[6]=a,r[7]=c,r[8]=l,r[9]=f,r[10]=u,r[11]=d,r[12]=h,r[13]=p,r[14]=g,r[15]=m,r}function Yx(r){return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function oh(r,e){if(r===e){let t=e[1],i=e[2],n=e[3],o=e[6],s=e[7],a=e[11];r[1]=e[4],r[2]=e[8],r[3]=e[12],r[4]=t,r[6]=e[9],r[7]=e[13],r[8]=i,r[9]=o,r[11]=e[14],r[12]=n,r[13]=s,r[14]=a}else r[0]=e[0],r[1]=e[4],r[2]=e[8],r[3]=e[12],r[4]=e[1],r[5]=e[5],r[6]=e[9],r[7]=e[13],r[8]=e[2],r[9]=e[6],r[10]=e[10],r[11]=e[14],r[12]=e[3],r[13]=e[7],r[14]=e[11],r[15]=e[15];return r}function sh(r,e){let t=e[0],i=e[1],n=e[2],o=e[3],s=e[4],a=e[5],c=e[6],l=e[7],f=e[8],u=e[9],d=e[10],h=e[11],p=e[12],g=e[13],m=e[14],y=e[15],v=t*a-i*s,_=t*c-n*s,b=t*l-o*s,w=i*c-n*a,P=i*l-o*a,L=n*l-o*c,T=f*g-u*p,C=f*m-d*p,S=f*y-h*p,R=u*m-d*g,I=u*y-h*g,A=d*y-h*m,O=v*A-_*I+b*R+w*S-P*C+L*T;return O?(O=1/O,r[0]=(a*A-c*I+l*R)*O,r[1]=(n*I-i*A-o*R)*O,r[2]=(g*L-m*P+y*w)*O,r[3]=(d*P-u*L-h*w)*O,r[4]=(c*S-s*A-l*C)*O,r[5]=(t*A-n*S+o*C)*O,r[6]=(m*b-p*L-y*_)*O,r[7]=(f*L-d*b+h*_)*O,r[8]=(s*I-a*S+l*T)*O,r[9]=(i*S-t*I-o*T)*O,r[10]=(p*P-g*b+y*v)*O,r[11]=(u*b-f*P-h*v)*O,r[12]=(a*C-s*R-c*T)*O,r[13]=(t*R-i*C+n*T)*O,r[14]=(g*_-p*w-m*v)*O,r[15]=(f*w-u*_+d*v)*O,r):null}function pM(r,e){let t=e[0],i=e[1],n=e[2],o=e[3],s=e[4],a=e[5],c=e[6],l=e[7],f=e[8],u=e[9],d=e[10],h=e[11],p=e[12],g=e[13],m=e[14],y=e[15],v=t*a-i*s,_=t*c-n*s,b=t*l-o*s,w=i*c-n*a,P=i*l-o*a,L=n*l-o*c,T=f*g-u*p,C=f*m-d*p,S=f*y-h*p,R=u*m-d*g,I=u*y-h*g,A=d*y-h*m;return r[0]=a*A-c*I+l*R,r[1]=n*I-i*A-o*R,r[2]=g*L-m*P+y*w,r[3]=d*P-u*L-h*w,r[4]=c*S-s*A-l*C,r[5]=t*A-n*S+o*C,r[6]=m*b-p*L-y*_,r[7]=f*L-d*b+h*_,r[8]=s*I-a*S+l*T,r[9]=i*S-t*I-o*T,r[10]=p*P-g*b+y*v,r[11]=u*b-f*P-h*v,r[12]=a*C-s*R-c*T,r[13]=t*R-i*C+n*T,r[14]=g*_-p*w-m*v,r[15]=f*w-u*_+d*v,r}function ah(r){let e=r[0],t=r[1],i=r[2],n=r[3],o=r[4],s=r[5],a=r[6],c=r[7],l=r[8],f=r[9],u=r[10],d=r[11],h=r[12],p=r[13],g=r[14],m=r[15],y=e*s-t*o,v=e*a-i*o,_=t*a-i*s,b=l*p-f*h,w=l*g-u*h,P=f*g-u*p,L=e*P-t*w+i*b,T=o*P-s*w+a*b,C=l*_-f*v+u*y,S=h*_-p*v+g*y;return c*L-n*T+m*C-d*S}function Co(r,e,t){let i=e[0],n=e[1],o=e[2],s=e[3],a=e[4],c=e[5],l=e[6],f=e[7],u=e[8],d=e[9],h=e[10],p=e[11],g=e[12],m=e[13],y=e[14],v=e[15],_=t[0],b=t[1],w=t[2],P=t[3];return r[0]=_*i+b*a+w*u+P*g,r[1]=_*n+b*c+w*d+P*m,r[2]=_*o+b*l+w*h+P*y,r[3]=_*s+b*f+w*p+P*v,_=t[4],b=t[5],w=t[6],P=t[7],r[4]=_*i+b*a+w*u+P*g,r[5]=_*n+b*c+w*d+P*m,r[6]=_*o+b*l+w*h+P*y,r[7]=_*s+b*f+w*p+P*v,_=t[8],b=t[9],w=t[10],P=t[11],r[8]=_*i+b*a+w*u+P*g,r[9]=_*n+b*c+w*d+P*m,r[10]=_*o+b*l+w*h+P*y,r[11]=_*s+b*f+w*p+P*v,_=t[12],b=t[13],w=t[14],P=t[15],r[12]=_*i+b*a+w*u+P*g,r[13]=_*n+b*c+w*d+P*m,r[14]=_*o+b*l+w*h+P*y,r[15]=_*s+b*f+w*p+P*v,r}function ch(r,e,t){let i=t[0],n=t[1],o=t[2],s,a,c,l,f,u,d,h,p,g,m,y;return e===r?(r[12]=e[0]*i+e[4]*n+e[8]*o+e[12],r[13]=e[1]*i+e[5]*n+e[9]*o+e[13],r[14]=e[2]*i+e[6]*n+e[10]*o+e[14],r[15]=e[3]*i+e[7]*n+e[11]*o+e[15]):(s=e[0],a=e[1],c=e[2],l=e[3],f=e[4],u=e[5],d=e[6],h=e[7],p=e[8],g=e[9],m=e[10],y=e[11],r[0]=s,r[1]=a,r[2]=c,r[3]=l,r[4]=f,r[5]=u,r[6]=d,r[7]=h,r[8]=p,r[9]=g,r[10]=m,r[11]=y,r[12]=s*i+f*n+p*o+e[12],r[13]=a*i+u*n+g*o+e[13],r[14]=c*i+d*n+m*o+e[14],r[15]=l*i+h*n+y*o+e[15]),r}function lh(r,e,t){let i=t[0],n=t[1],o=t[2];return r[0]=e[0]*i,r[1]=e[1]*i,r[2]=e[2]*i,r[3]=e[3]*i,r[4]=e[4]*n,r[5]=e[5]*n,r[6]=e[6]*n,r[7]=e[7]*n,r[8]=e[8]*o,r[9]=e[9]*o,r[10]=e[10]*o,r[11]=e[11]*o,r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15],r}function fh(r,e,t,i){let n=i[0],o=i[1],s=i[2],a=Math.sqrt(n*n+o*o+s*s),c,l,f,u,d,h,p,g,m,y,v,_,b,w,P,L,T,C,S,R,I,A,O,W;return a<1e-6?null:(a=1/a,n*=a,o*=a,s*=a,l=Math.sin(t),c=Math.cos(t),f=1-c,u=e[0],d=e[1],h=e[2],p=e[3],g=e[4],m=e[5],y=e[6],v=e[7],_=e[8],b=e[9],w=e[10],P=e[11],L=n*n*f+c,T=o*n*f+s*l,C=s*n*f-o*l,S=n*o*f-s*l,R=o*o*f+c,I=s*o*f+n*l,A=n*s*f+o*l,O=o*s*f-n*l,W=s*s*f+c,r[0]=u*L+g*T+_*C,r[1]=d*L+m*T+b*C,r[2]=h*L+y*T+w*C,r[3]=p*L+v*T+P*C,r[4]=u*S+g*R+_*I,r[5]=d*S+m*R+b*I,r[6]=h*S+y*R+w*I,r[7]=p*S+v*R+P*I,r[8]=u*A+g*O+_*W,r[9]=d*A+m*O+b*W,r[10]=h*A+y*O+w*W,r[11]=p*A+v*O+P*W,e!==r&&(r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r)}function uh(r,e,t){let i=Math.sin(t),n=Math.cos(t),o=e[4],s=e[5],a=e[6],c=e[7],l=e[8],f=e[9],u=e[10],d=e[11];return e!==r&&(r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[4]=o*n+l*i,r[5]=s*n+f*i,r[6]=a*n+u*i,r[7]=c*n+d*i,r[8]=l*n-o*i,r[9]=f*n-s*i,r[10]=u*n-a*i,r[11]=d*n-c*i,r}function dh(r,e,t){let i=Math.sin(t),n=Math.cos(t),o=e[0],s=e[1],a=e[2],c=e[3],l=e[8],f=e[9],u=e[10],d=e[11];return e!==r&&(r[4]=e[4],r[5]=e[5],r[6]=e[6],r[7]=e[7],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[0]=o*n-l*i,r[1]=s*n-f*i,r[2]=a*n-u*i,r[3]=c*n-d*i,r[8]=o*i+l*n,r[9]=s*i+f*n,r[10]=a*i+u*n,r[11]=c*i+d*n,r}function hh(r,e,t){let i=Math.sin(t),n=Math.cos(t),o=e[0],s=e[1],a=e[2],c=e[3],l=e[4],f=e[5],u=e[6],d=e[7];return e!==r&&(r[8]=e[8],r[9]=e[9],r[10]=e[10],r[11]=e[11],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[0]=o*n+l*i,r[1]=s*n+f*i,r[2]=a*n+u*i,r[3]=c*n+d*i,r[4]=l*n-o*i,r[5]=f*n-s*i,r[6]=u*n-a*i,r[7]=d*n-c*i,r}function gM(r,e){return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=e[0],r[13]=e[1],r[14]=e[2],r[15]=1,r}function mM(r,e){return r[0]=e[0],r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=e[1],r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=e[2],r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function _M(r,e,t){let i=t[0],n=t[1],o=t[2],s=Math.sqrt(i*i+n*n+o*o),a,c,l;return s<1e-6?null:(s=1/s,i*=s,n*=s,o*=s,c=Math.sin(e),a=Math.cos(e),l=1-a,r[0]=i*i*l+a,r[1]=n*i*l+o*c,r[2]=o*i*l-n*c,r[3]=0,r[4]=i*n*l-o*c,r[5]=n*n*l+a,r[6]=o*n*l+i*c,r[7]=0,r[8]=i*o*l+n*c,r[9]=n*o*l-i*c,r[10]=o*o*l+a,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r)}function yM(r,e){let t=Math.sin(e),i=Math.cos(e);return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=i,r[6]=t,r[7]=0,r[8]=0,r[9]=-t,r[10]=i,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function xM(r,e){let t=Math.sin(e),i=Math.cos(e);return r[0]=i,r[1]=0,r[2]=-t,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=t,r[9]=0,r[10]=i,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function bM(r,e){let t=Math.sin(e),i=Math.cos(e);return r[0]=i,r[1]=t,r[2]=0,r[3]=0,r[4]=-t,r[5]=i,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function qx(r,e,t){let i=e[0],n=e[1],o=e[2],s=e[3],a=i+i,c=n+n,l=o+o,f=i*a,u=i*c,d=i*l,h=n*c,p=n*l,g=o*l,m=s*a,y=s*c,v=s*l;return r[0]=1-(h+g),r[1]=u+v,r[2]=d-y,r[3]=0,r[4]=u-v,r[5]=1-(f+g),r[6]=p+m,r[7]=0,r[8]=d+y,r[9]=p-m,r[10]=1-(f+h),r[11]=0,r[12]=t[0],r[13]=t[1],r[14]=t[2],r[15]=1,r}function vM(r,e){let t=new Y(3),i=-e[0],n=-e[1],o=-e[2],s=e[3],a=e[4],c=e[5],l=e[6],f=e[7],u=i*i+n*n+o*o+s*s;return u>0?(t[0]=(a*s+f*i+c*o-l*n)*2/u,t[1]=(c*s+f*n+l*i-a*o)*2/u,t[2]=(l*s+f*o+a*n-c*i)*2/u):(t[0]=(a*s+f*i+c*o-l*n)*2,t[1]=(c*s+f*n+l*i-a*o)*2,t[2]=(l*s+f*o+a*n-c*i)*2),qx(r,e,t),r}function wM(r,e){return r[0]=e[12],r[1]=e[13],r[2]=e[14],r}function Zx(r,e){let t=e[0],i=e[1],n=e[2],o=e[4],s=e[5],a=e[6],c=e[8],l=e[9],f=e[10];return r[0]=Math.sqrt(t*t+i*i+n*n),r[1]=Math.sqrt(o*o+s*s+a*a),r[2]=Math.sqrt(c*c+l*l+f*f),r}function PM(r,e){let t=new Y(3);Zx(t,e);let i=1/t[0],n=1/t[1],o=1/t[2],s=e[0]*i,a=e[1]*n,c=e[2]*o,l=e[4]*i,f=e[5]*n,u=e[6]*o,d=e[8]*i,h=e[9]*n,p=e[10]*o,g=s+f+p,m=0;return g>0?(m=Math.sqrt(g+1)*2,r[3]=.25*m,r[0]=(u-h)/m,r[1]=(d-c)/m,r[2]=(a-l)/m):s>f&&s>p?(m=Math.sqrt(1+s-f-p)*2,r[3]=(u-h)/m,r[0]=.25*m,r[1]=(a+l)/m,r[2]=(d+c)/m):f>p?(m=Math.sqrt(1+f-s-p)*2,r[3]=(d-c)/m,r[0]=(a+l)/m,r[1]=.25*m,r[2]=(u+h)/m):(m=Math.sqrt(1+p-s-f)*2,r[3]=(a-l)/m,r[0]=(d+c)/m,r[1]=(u+h)/m,r[2]=.25*m),r}function EM(r,e,t,i){e[0]=i[12],e[1]=i[13],e[2]=i[14];let n=i[0],o=i[1],s=i[2],a=i[4],c=i[5],l=i[6],f=i[8],u=i[9],d=i[10];t[0]=Math.sqrt(n*n+o*o+s*s),t[1]=Math.sqrt(a*a+c*c+l*l),t[2]=Math.sqrt(f*f+u*u+d*d);let h=1/t[0],p=1/t[1],g=1/t[2],m=n*h,y=o*p,v=s*g,_=a*h,b=c*p,w=l*g,P=f*h,L=u*p,T=d*g,C=m+b+T,S=0;return C>0?(S=Math.sqrt(C+1)*2,r[3]=.25*S,r[0]=(w-L)/S,r[1]=(P-v)/S,r[2]=(y-_)/S):m>b&&m>T?(S=Math.sqrt(1+m-b-T)*2,r[3]=(w-L)/S,r[0]=.25*S,r[1]=(y+_)/S,r[2]=(P+v)/S):b>T?(S=Math.sqrt(1+b-m-T)*2,r[3]=(P-v)/S,r[0]=(y+_)/S,r[1]=.25*S,r[2]=(w+L)/S):(S=Math.sqrt(1+T-m-b)*2,r[3]=(y-_)/S,r[0]=(P+v)/S,r[1]=(w+L)/S,r[2]=.25*S),r}function SM(r,e,t,i){let n=e[0],o=e[1],s=e[2],a=e[3],c=n+n,l=o+o,f=s+s,u=n*c,d=n*l,h=n*f,p=o*l,g=o*f,m=s*f,y=a*c,v=a*l,_=a*f,b=i[0],w=i[1],P=i[2];return r[0]=(1-(p+m))*b,r[1]=(d+_)*b,r[2]=(h-v)*b,r[3]=0,r[4]=(d-_)*w,r[5]=(1-(u+m))*w,r[6]=(g+y)*w,r[7]=0,r[8]=(h+v)*P,r[9]=(g-y)*P,r[10]=(1-(u+p))*P,r[11]=0,r[12]=t[0],r[13]=t[1],r[14]=t[2],r[15]=1,r}function TM(r,e,t,i,n){let o=e[0],s=e[1],a=e[2],c=e[3],l=o+o,f=s+s,u=a+a,d=o*l,h=o*f,p=o*u,g=s*f,m=s*u,y=a*u,v=c*l,_=c*f,b=c*u,w=i[0],P=i[1],L=i[2],T=n[0],C=n[1],S=n[2],R=(1-(g+y))*w,I=(h+b)*w,A=(p-_)*w,O=(h-b)*P,W=(1-(d+y))*P,z=(m+v)*P,U=(p+_)*L,Ut=(m-v)*L,On=(1-(d+g))*L;return r[0]=R,r[1]=I,r[2]=A,r[3]=0,r[4]=O,r[5]=W,r[6]=z,r[7]=0,r[8]=U,r[9]=Ut,r[10]=On,r[11]=0,r[12]=t[0]+T-(R*T+O*C+U*S),r[13]=t[1]+C-(I*T+W*C+Ut*S),r[14]=t[2]+S-(A*T+z*C+On*S),r[15]=1,r}function ph(r,e){let t=e[0],i=e[1],n=e[2],o=e[3],s=t+t,a=i+i,c=n+n,l=t*s,f=i*s,u=i*a,d=n*s,h=n*a,p=n*c,g=o*s,m=o*a,y=o*c;return r[0]=1-u-p,r[1]=f+y,r[2]=d-m,r[3]=0,r[4]=f-y,r[5]=1-l-p,r[6]=h+g,r[7]=0,r[8]=d+m,r[9]=h-g,r[10]=1-l-u,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function gh(r,e,t,i,n,o,s){let a=1/(t-e),c=1/(n-i),l=1/(o-s);return r[0]=o*2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=o*2*c,r[6]=0,r[7]=0,r[8]=(t+e)*a,r[9]=(n+i)*c,r[10]=(s+o)*l,r[11]=-1,r[12]=0,r[13]=0,r[14]=s*o*2*l,r[15]=0,r}function Xx(r,e,t,i,n){let o=1/Math.tan(e/2);if(r[0]=o/t,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=o,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=-1,r[12]=0,r[13]=0,r[15]=0,n!=null&&n!==1/0){let s=1/(i-n);r[10]=(n+i)*s,r[14]=2*n*i*s}else r[10]=-1,r[14]=-2*i;return r}function LM(r,e,t,i,n){let o=1/Math.tan(e/2);if(r[0]=o/t,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=o,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=-1,r[12]=0,r[13]=0,r[15]=0,n!=null&&n!==1/0){let s=1/(i-n);r[10]=n*s,r[14]=n*i*s}else r[10]=-1,r[14]=-i;return r}function CM(r,e,t,i){let n=Math.tan(e.upDegrees*Math.PI/180),o=Math.tan(e.downDegrees*Math.PI/180),s=Math.tan(e.leftDegrees*Math.PI/180),a=Math.tan(e.rightDegrees*Math.PI/180),c=2/(s+a),l=2/(n+o);return r[0]=c,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=l,r[6]=0,r[7]=0,r[8]=-((s-a)*c*.5),r[9]=(n-o)*l*.5,r[10]=i/(t-i),r[11]=-1,r[12]=0,r[13]=0,r[14]=i*t/(t-i),r[15]=0,r}function Kx(r,e,t,i,n,o,s){let a=1/(e-t),c=1/(i-n),l=1/(o-s);return r[0]=-2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=-2*c,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=2*l,r[11]=0,r[12]=(e+t)*a,r[13]=(n+i)*c,r[14]=(s+o)*l,r[15]=1,r}function AM(r,e,t,i,n,o,s){let a=1/(e-t),c=1/(i-n),l=1/(o-s);return r[0]=-2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=-2*c,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=l,r[11]=0,r[12]=(e+t)*a,r[13]=(n+i)*c,r[14]=o*l,r[15]=1,r}function yh(r,e,t,i){let n,o,s,a,c,l,f,u,d,h,p=e[0],g=e[1],m=e[2],y=i[0],v=i[1],_=i[2],b=t[0],w=t[1],P=t[2];return Math.abs(p-b)<1e-6&&Math.abs(g-w)<1e-6&&Math.abs(m-P)<1e-6?Yx(r):(u=p-b,d=g-w,h=m-P,n=1/Math.sqrt(u*u+d*d+h*h),u*=n,d*=n,h*=n,o=v*h-_*d,s=_*u-y*h,a=y*d-v*u,n=Math.sqrt(o*o+s*s+a*a),n?(n=1/n,o*=n,s*=n,a*=n):(o=0,s=0,a=0),c=d*a-h*s,l=h*o-u*a,f=u*s-d*o,n=Math.sqrt(c*c+l*l+f*f),n?(n=1/n,c*=n,l*=n,f*=n):(c=0,l=0,f=0),r[0]=o,r[1]=c,r[2]=u,r[3]=0,r[4]=s,r[5]=l,r[6]=d,r[7]=0,r[8]=a,r[9]=f,r[10]=h,r[11]=0,r[12]=-(o*p+s*g+a*m),r[13]=-(c*p+l*g+f*m),r[14]=-(u*p+d*g+h*m),r[15]=1,r)}function MM(r,e,t,i){let n=e[0],o=e[1],s=e[2],a=i[0],c=i[1],l=i[2],f=n-t[0],u=o-t[1],d=s-t[2],h=f*f+u*u+d*d;h>0&&(h=1/Math.sqrt(h),f*=h,u*=h,d*=h);let p=c*d-l*u,g=l*f-a*d,m=a*u-c*f;return h=p*p+g*g+m*m,h>0&&(h=1/Math.sqrt(h),p*=h,g*=h,m*=h),r[0]=p,r[1]=g,r[2]=m,r[3]=0,r[4]=u*m-d*g,r[5]=d*p-f*m,r[6]=f*g-u*p,r[7]=0,r[8]=f,r[9]=u,r[10]=d,r[11]=0,r[12]=n,r[13]=o,r[14]=s,r[15]=1,r}function IM(r){return`mat4(${r[0]}, ${r[1]}, ${r[2]}, ${r[3]}, ${r[4]}, ${r[5]}, ${r[6]}, ${r[7]}, ${r[8]}, ${r[9]}, ${r[10]}, ${r[11]}, ${r[12]}, ${r[13]}, ${r[14]}, ${r[15]})`}function RM(r){return Math.sqrt(r[0]*r[0]+r[1]*r[1]+r[2]*r[2]+r[3]*r[3]+r[4]*r[4]+r[5]*r[5]+r[6]*r[6]+r[7]*r[7]+r[8]*r[8]+r[9]*r[9]+r[10]*r[10]+r[11]*r[11]+r[12]*r[12]+r[13]*r[13]+r[14]*r[14]+r[15]*r[15])}function OM(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r[3]=e[3]+t[3],r[4]=e[4]+t[4],r[5]=e[5]+t[5],r[6]=e[6]+t[6],r[7]=e[7]+t[7],r[8]=e[8]+t[8],r[9]=e[9]+t[9],r[10]=e[10]+t[10],r[11]=e[11]+t[11],r[12]=e[12]+t[12],r[13]=e[13]+t[13],r[14]=e[14]+t[14],r[15]=e[15]+t[15],r}function Qx(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r[3]=e[3]-t[3],r[4]=e[4]-t[4],r[5]=e[5]-t[5],r[6]=e[6]-t[6],r[7]=e[7]-t[7],r[8]=e[8]-t[8],r[9]=e[9]-t[9],r[10]=e[10]-t[10],r[11]=e[11]-t[11],r[12]=e[12]-t[12],r[13]=e[13]-t[13],r[14]=e[14]-t[14],r[15]=e[15]-t[15],r}function BM(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r[3]=e[3]*t,r[4]=e[4]*t,r[5]=e[5]*t,r[6]=e[6]*t,r[7]=e[7]*t,r[8]=e[8]*t,r[9]=e[9]*t,r[10]=e[10]*t,r[11]=e[11]*t,r[12]=e[12]*t,r[13]=e[13]*t,r[14]=e[14]*t,r[15]=e[15]*t,r}function DM(r,e,t,i){return r[0]=e[0]+t[0]*i,r[1]=e[1]+t[1]*i,r[2]=e[2]+t[2]*i,r[3]=e[3]+t[3]*i,r[4]=e[4]+t[4]*i,r[5]=e[5]+t[5]*i,r[6]=e[6]+t[6]*i,r[7]=e[7]+t[7]*i,r[8]=e[8]+t[8]*i,r[9]=e[9]+t[9]*i,r[10]=e[10]+t[10]*i,r[11]=e[11]+t[11]*i,r[12]=e[12]+t[12]*i,r[13]=e[13]+t[13]*i,r[14]=e[14]+t[14]*i,r[15]=e[15]+t[15]*i,r}function kM(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]&&r[3]===e[3]&&r[4]===e[4]&&r[5]===e[5]&&r[6]===e[6]&&r[7]===e[7]&&r[8]===e[8]&&r[9]===e[9]&&r[10]===e[10]&&r[11]===e[11]&&r[12]===e[12]&&r[13]===e[13]&&r[14]===e[14]&&r[15]===e[15]}function NM(r,e){let t=r[0],i=r[1],n=r[2],o=r[3],s=r[4],a=r[5],c=r[6],l=r[7],f=r[8],u=r[9],d=r[10],h=r[11],p=r[12],g=r[13],m=r[14],y=r[15],v=e[0],_=e[1],b=e[2],w=e[3],P=e[4],L=e[5],T=e[6],C=e[7],S=e[8],R=e[9],I=e[10],A=e[11],O=e[12],W=e[13],z=e[14],U=e[15];return Math.abs(t-v)<=1e-6*Math.max(1,Math.abs(t),Math.abs(v))&&Math.abs(i-_)<=1e-6*Math.max(1,Math.abs(i),Math.abs(_))&&Math.abs(n-b)<=1e-6*Math.max(1,Math.abs(n),Math.abs(b))&&Math.abs(o-w)<=1e-6*Math.max(1,Math.abs(o),Math.abs(w))&&Math.abs(s-P)<=1e-6*Math.max(1,Math.abs(s),Math.abs(P))&&Math.abs(a-L)<=1e-6*Math.max(1,Math.abs(a),Math.abs(L))&&Math.abs(c-T)<=1e-6*Math.max(1,Math.abs(c),Math.abs(T))&&Math.abs(l-C)<=1e-6*Math.max(1,Math.abs(l),Math.abs(C))&&Math.abs(f-S)<=1e-6*Math.max(1,Math.abs(f),Math.abs(S))&&Math.abs(u-R)<=1e-6*Math.max(1,Math.abs(u),Math.abs(R))&&Math.abs(d-I)<=1e-6*Math.max(1,Math.abs(d),Math.abs(I))&&Math.abs(h-A)<=1e-6*Math.max(1,Math.abs(h),Math.abs(A))&&Math.abs(p-O)<=1e-6*Math.max(1,Math.abs(p),Math.abs(O))&&Math.abs(g-W)<=1e-6*Math.max(1,Math.abs(g),Math.abs(W))&&Math.abs(m-z)<=1e-6*Math.max(1,Math.abs(m),Math.abs(z))&&Math.abs(y-U)<=1e-6*Math.max(1,Math.abs(y),Math.abs(U))}var mh,_h,FM,zM,xh=x(()=>{Qr();mh=Xx;_h=Kx;FM=Co,zM=Qx});var st={};Gt(st,{add:()=>nb,ceil:()=>UM,clone:()=>eb,copy:()=>rb,create:()=>Jx,cross:()=>qM,dist:()=>iI,distance:()=>lb,div:()=>rI,divide:()=>ab,dot:()=>ub,equals:()=>JM,exactEquals:()=>hb,floor:()=>GM,forEach:()=>aI,fromValues:()=>tb,inverse:()=>YM,len:()=>oI,length:()=>bh,lerp:()=>db,max:()=>$M,min:()=>VM,mul:()=>tI,multiply:()=>sb,negate:()=>HM,normalize:()=>wh,random:()=>ZM,round:()=>WM,scale:()=>cb,scaleAndAdd:()=>jM,set:()=>ib,sqrDist:()=>nI,sqrLen:()=>sI,squaredDistance:()=>fb,squaredLength:()=>vh,str:()=>QM,sub:()=>eI,subtract:()=>ob,transformMat4:()=>Ph,transformQuat:()=>XM,zero:()=>KM});function Jx(){let r=new Y(4);return Y!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0,r[3]=0),r}function eb(r){let e=new Y(4);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e[3]=r[3],e}function tb(r,e,t,i){let n=new Y(4);return n[0]=r,n[1]=e,n[2]=t,n[3]=i,n}function rb(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r}function ib(r,e,t,i,n){return r[0]=e,r[1]=t,r[2]=i,r[3]=n,r}function nb(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r[3]=e[3]+t[3],r}function ob(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r[3]=e[3]-t[3],r}function sb(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r[2]=e[2]*t[2],r[3]=e[3]*t[3],r}function ab(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r[2]=e[2]/t[2],r[3]=e[3]/t[3],r}function UM(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r[2]=Math.ceil(e[2]),r[3]=Math.ceil(e[3]),r}function GM(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r[2]=Math.floor(e[2]),r[3]=Math.floor(e[3]),r}function VM(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r[2]=Math.min(e[2],t[2]),r[3]=Math.min(e[3],t[3]),r}function $M(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r[2]=Math.max(e[2],t[2]),r[3]=Math.max(e[3],t[3]),r}function WM(r,e){return r[0]=Je(e[0]),r[1]=Je(e[1]),r[2]=Je(e[2]),r[3]=Je(e[3]),r}function cb(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r[3]=e[3]*t,r}function jM(r,e,t,i){return r[0]=e[0]+t[0]*i,r[1]=e[1]+t[1]*i,r[2]=e[2]+t[2]*i,r[3]=e[3]+t[3]*i,r}function lb(r,e){let t=e[0]-r[0],i=e[1]-r[1],n=e[2]-r[2],o=e[3]-r[3];return Math.sqrt(t*t+i*i+n*n+o*o)}function fb(r,e){let t=e[0]-r[0],i=e[1]-r[1],n=e[2]-r[2],o=e[3]-r[3];return t*t+i*i+n*n+o*o}function bh(r){let e=r[0],t=r[1],i=r[2],n=r[3];return Math.sqrt(e*e+t*t+i*i+n*n)}function vh(r){let e=r[0],t=r[1],i=r[2],n=r[3];return e*e+t*t+i*i+n*n}function HM(r,e){return r[0]=-e[0],r[1]=-e[1],r[2]=-e[2],r[3]=-e[3],r}function YM(r,e){return r[0]=1/e[0],r[1]=1/e[1],r[2]=1/e[2],r[3]=1/e[3],r}function wh(r,e){let t=e[0],i=e[1],n=e[2],o=e[3],s=t*t+i*i+n*n+o*o;return s>0&&(s=1/Math.sqrt(s)),r[0]=t*s,r[1]=i*s,r[2]=n*s,r[3]=o*s,r}function ub(r,e){return r[0]*e[0]+r[1]*e[1]+r[2]*e[2]+r[3]*e[3]}function qM(r,e,t,i){let n=t[0]*i[1]-t[1]*i[0],o=t[0]*i[2]-t[2]*i[0],s=t[0]*i[3]-t[3]*i[0],a=t[1]*i[2]-t[2]*i[1],c=t[1]*i[3]-t[3]*i[1],l=t[2]*i[3]-t[3]*i[2],f=e[0],u=e[1],d=e[2],h=e[3];return r[0]=u*l-d*c+h*a,r[1]=-(f*l)+d*s-h*o,r[2]=f*c-u*s+h*n,r[3]=-(f*a)+u*o-d*n,r}function db(r,e,t,i){let n=e[0],o=e[1],s=e[2],a=e[3];return r[0]=n+i*(t[0]-n),r[1]=o+i*(t[1]-o),r[2]=s+i*(t[2]-s),r[3]=a+i*(t[3]-a),r}function ZM(r,e){e=e===void 0?1:e;let t,i,n,o,s,a;do t=Lt()*2-1,i=Lt()*2-1,s=t*t+i*i;while(s>=1);do n=Lt()*2-1,o=Lt()*2-1,a=n*n+o*o;while(a>=1);let c=Math.sqrt((1-s)/a);return r[0]=e*t,r[1]=e*i,r[2]=e*n*c,r[3]=e*o*c,r}function Ph(r,e,t){let i=e[0],n=e[1],o=e[2],s=e[3];return r[0]=t[0]*i+t[4]*n+t[8]*o+t[12]*s,r[1]=t[1]*i+t[5]*n+t[9]*o+t[13]*s,r[2]=t[2]*i+t[6]*n+t[10]*o+t[14]*s,r[3]=t[3]*i+t[7]*n+t[11]*o+t[15]*s,r}function XM(r,e,t){let i=e[0],n=e[1],o=e[2],s=t[0],a=t[1],c=t[2],l=t[3],f=l*i+a*o-c*n,u=l*n+c*i-s*o,d=l*o+s*n-a*i,h=-s*i-a*n-c*o;return r[0]=f*l+h*-s+u*-c-d*-a,r[1]=u*l+h*-a+d*-s-f*-c,r[2]=d*l+h*-c+f*-a-u*-s,r[3]=e[3],r}function KM(r){return r[0]=0,r[1]=0,r[2]=0,r[3]=0,r}function QM(r){return`vec4(${r[0]}, ${r[1]}, ${r[2]}, ${r[3]})`}function hb(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]&&r[3]===e[3]}function JM(r,e){let t=r[0],i=r[1],n=r[2],o=r[3],s=e[0],a=e[1],c=e[2],l=e[3];return Math.abs(t-s)<=1e-6*Math.max(1,Math.abs(t),Math.abs(s))&&Math.abs(i-a)<=1e-6*Math.max(1,Math.abs(i),Math.abs(a))&&Math.abs(n-c)<=1e-6*Math.max(1,Math.abs(n),Math.abs(c))&&Math.abs(o-l)<=1e-6*Math.max(1,Math.abs(o),Math.abs(l))}var eI,tI,rI,iI,nI,oI,sI,aI,Tc=x(()=>{Qr();eI=ob,tI=sb,rI=ab,iI=lb,nI=fb,oI=bh,sI=vh,aI=(function(){let r=Jx();return function(e,t,i,n,o,s){let a,c;for(t||(t=4),i||(i=0),n?c=Math.min(n*t+i,e.length):c=e.length,a=i;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],r[2]=e[a+2],r[3]=e[a+3],o(r,r,s),e[a]=r[0],e[a+1]=r[1],e[a+2]=r[2],e[a+3]=r[3];return e}})()});function uI(){return Lc||(Lc=new me([0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]),Object.freeze(Lc)),Lc}function dI(){return Cc||(Cc=new me,Object.freeze(Cc)),Cc}function pb(r){if(r>Math.PI*2)throw Error("expected radians")}function hI(r,e,t,i,n,o){let s=2*o/(t-e),a=2*o/(n-i),c=(t+e)/(t-e),l=(n+i)/(n-i),f=-1,u=-1,d=-2*o;return r[0]=s,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=a,r[6]=0,r[7]=0,r[8]=c,r[9]=l,r[10]=f,r[11]=u,r[12]=0,r[13]=0,r[14]=d,r[15]=0,r}var Th,cI,lI,Eh,Sh,fI,me,Lc,Cc,gb=x(()=>{Wx();Eo();qd();xh();Yd();Lo();Tc();(function(r){r[r.COL0ROW0=0]="COL0ROW0",r[r.COL0ROW1=1]="COL0ROW1",r[r.COL0ROW2=2]="COL0ROW2",r[r.COL0ROW3=3]="COL0ROW3",r[r.COL1ROW0=4]="COL1ROW0",r[r.COL1ROW1=5]="COL1ROW1",r[r.COL1ROW2=6]="COL1ROW2",r[r.COL1ROW3=7]="COL1ROW3",r[r.COL2ROW0=8]="COL2ROW0",r[r.COL2ROW1=9]="COL2ROW1",r[r.COL2ROW2=10]="COL2ROW2",r[r.COL2ROW3=11]="COL2ROW3",r[r.COL3ROW0=12]="COL3ROW0",r[r.COL3ROW1=13]="COL3ROW1",r[r.COL3ROW2=14]="COL3ROW2",r[r.COL3ROW3=15]="COL3ROW3"})(Th||(Th={}));cI=45*Math.PI/180,lI=1,Eh=.1,Sh=500,fI=Object.freeze([1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]),me=class extends Sc{static get IDENTITY(){return dI()}static get ZERO(){return uI()}get ELEMENTS(){return 16}get RANK(){return 4}get INDICES(){return Th}constructor(e){super(-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0),arguments.length===1&&Array.isArray(e)?this.copy(e):this.identity()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this[3]=e[3],this[4]=e[4],this[5]=e[5],this[6]=e[6],this[7]=e[7],this[8]=e[8],this[9]=e[9],this[10]=e[10],this[11]=e[11],this[12]=e[12],this[13]=e[13],this[14]=e[14],this[15]=e[15],this.check()}set(e,t,i,n,o,s,a,c,l,f,u,d,h,p,g,m){return this[0]=e,this[1]=t,this[2]=i,this[3]=n,this[4]=o,this[5]=s,this[6]=a,this[7]=c,this[8]=l,this[9]=f,this[10]=u,this[11]=d,this[12]=h,this[13]=p,this[14]=g,this[15]=m,this.check()}setRowMajor(e,t,i,n,o,s,a,c,l,f,u,d,h,p,g,m){return this[0]=e,this[1]=o,this[2]=l,this[3]=h,this[4]=t,this[5]=s,this[6]=f,this[7]=p,this[8]=i,this[9]=a,this[10]=u,this[11]=g,this[12]=n,this[13]=c,this[14]=d,this[15]=m,this.check()}toRowMajor(e){return e[0]=this[0],e[1]=this[4],e[2]=this[8],e[3]=this[12],e[4]=this[1],e[5]=this[5],e[6]=this[9],e[7]=this[13],e[8]=this[2],e[9]=this[6],e[10]=this[10],e[11]=this[14],e[12]=this[3],e[13]=this[7],e[14]=this[11],e[15]=this[15],e}identity(){return this.copy(fI)}fromObject(e){return this.check()}fromQuaternion(e){return ph(this,e),this.check()}frustum(e){let{left:t,right:i,bottom:n,top:o,near:s=Eh,far:a=Sh}=e;return a===1/0?hI(this,t,i,n,o,s):gh(this,t,i,n,o,s,a),this.check()}lookAt(e){let{eye:t,center:i=[0,0,0],up:n=[0,1,0]}=e;return yh(this,t,i,n),this.check()}ortho(e){let{left:t,right:i,bottom:n,top:o,near:s=Eh,far:a=Sh}=e;return _h(this,t,i,n,o,s,a),this.check()}orthographic(e){let{fovy:t=cI,aspect:i=lI,focalDistance:n=1,near:o=Eh,far:s=Sh}=e;pb(t);let a=t/2,c=n*Math.tan(a),l=c*i;return this.ortho({left:-l,right:l,bottom:-c,top:c,near:o,far:s})}perspective(e){let{fovy:t=45*Math.PI/180,aspect:i=1,near:n=.1,far:o=500}=e;return pb(t),mh(this,t,i,n,o),this.check()}determinant(){return ah(this)}getScale(e=[-0,-0,-0]){return e[0]=Math.sqrt(this[0]*this[0]+this[1]*this[1]+this[2]*this[2]),e[1]=Math.sqrt(this[4]*this[4]+this[5]*this[5]+this[6]*this[6]),e[2]=Math.sqrt(this[8]*this[8]+this[9]*this[9]+this[10]*this[10]),e}getTranslation(e=[-0,-0,-0]){return e[0]=this[12],e[1]=this[13],e[2]=this[14],e}getRotation(e,t){e=e||[-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0],t=t||[-0,-0,-0];let i=this.getScale(t),n=1/i[0],o=1/i[1],s=1/i[2];return e[0]=this[0]*n,e[1]=this[1]*o,e[2]=this[2]*s,e[3]=0,e[4]=this[4]*n,e[5]=this[5]*o,e[6]=this[6]*s,e[7]=0,e[8]=this[8]*n,e[9]=this[9]*o,e[10]=this[10]*s,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,e}getRotationMatrix3(e,t){e=e||[-0,-0,-0,-0,-0,-0,-0,-0,-0],t=t||[-0,-0,-0];let i=this.getScale(t),n=1/i[0],o=1/i[1],s=1/i[2];return e[0]=this[0]*n,e[1]=this[1]*o,e[2]=this[2]*s,e[3]=this[4]*n,e[4]=this[5]*o,e[5]=this[6]*s,e[6]=this[8]*n,e[7]=this[9]*o,e[8]=this[10]*s,e}transpose(){return oh(this,this),this.check()}invert(){return sh(this,this),this.check()}multiplyLeft(e){return Co(this,e,this),this.check()}multiplyRight(e){return Co(this,this,e),this.check()}rotateX(e){return uh(this,this,e),this.check()}rotateY(e){return dh(this,this,e),this.check()}rotateZ(e){return hh(this,this,e),this.check()}rotateXYZ(e){return this.rotateX(e[0]).rotateY(e[1]).rotateZ(e[2])}rotateAxis(e,t){return fh(this,this,e,t),this.check()}scale(e){return lh(this,this,Array.isArray(e)?e:[e,e,e]),this.check()}translate(e){return ch(this,this,e),this.check()}transform(e,t){return e.length===4?(t=Ph(t||[-0,-0,-0,-0],e,this),xc(t,4),t):this.transformAsPoint(e,t)}transformAsPoint(e,t){let{length:i}=e,n;switch(i){case 2:n=Hd(t||[-0,-0],e,this);break;case 3:n=To(t||[-0,-0,-0],e,this);break;default:throw new Error("Illegal vector")}return xc(n,e.length),n}transformAsVector(e,t){let i;switch(e.length){case 2:i=Bx(t||[-0,-0],e,this);break;case 3:i=vc(t||[-0,-0,-0],e,this);break;default:throw new Error("Illegal vector")}return xc(i,e.length),i}transformPoint(e,t){return this.transformAsPoint(e,t)}transformVector(e,t){return this.transformAsPoint(e,t)}transformDirection(e,t){return this.transformAsVector(e,t)}makeRotationX(e){return this.identity().rotateX(e)}makeTranslation(e,t,i){return this.identity().translate([e,t,i])}}});function mb(){let r=new Y(4);return Y!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0),r[3]=1,r}function pI(r,e,t){t=t*.5;let i=Math.sin(t);return r[0]=i*e[0],r[1]=i*e[1],r[2]=i*e[2],r[3]=Math.cos(t),r}function Lh(r,e,t,i){let n=e[0],o=e[1],s=e[2],a=e[3],c=t[0],l=t[1],f=t[2],u=t[3],d,h,p,g,m;return d=n*c+o*l+s*f+a*u,d<0&&(d=-d,c=-c,l=-l,f=-f,u=-u),1-d>1e-6?(h=Math.acos(d),m=Math.sin(h),p=Math.sin((1-i)*h)/m,g=Math.sin(i*h)/m):(p=1-i,g=i),r[0]=p*n+g*c,r[1]=p*o+g*l,r[2]=p*s+g*f,r[3]=p*a+g*u,r}function gI(r,e){let t=e[0]+e[4]+e[8],i;if(t>0)i=Math.sqrt(t+1),r[3]=.5*i,i=.5/i,r[0]=(e[5]-e[7])*i,r[1]=(e[6]-e[2])*i,r[2]=(e[1]-e[3])*i;else{let n=0;e[4]>e[0]&&(n=1),e[8]>e[n*3+n]&&(n=2);let o=(n+1)%3,s=(n+2)%3;i=Math.sqrt(e[n*3+n]-e[o*3+o]-e[s*3+s]+1),r[n]=.5*i,i=.5/i,r[3]=(e[o*3+s]-e[s*3+o])*i,r[o]=(e[o*3+n]+e[n*3+o])*i,r[s]=(e[s*3+n]+e[n*3+s])*i}return r}var _b,y8,x8,b8,yb=x(()=>{Qr();nh();Lo();Tc();_b=wh,y8=(function(){let r=wc(),e=Pc(1,0,0),t=Pc(0,1,0);return function(i,n,o){let s=So(n,o);return s<-.999999?(Jr(r,e,n),rh(r)<1e-6&&Jr(r,t,n),Zd(r,r),pI(i,r,Math.PI),i):s>.999999?(i[0]=0,i[1]=0,i[2]=0,i[3]=1,i):(Jr(r,n,o),i[0]=r[0],i[1]=r[1],i[2]=r[2],i[3]=1+s,_b(i,i))}})(),x8=(function(){let r=mb(),e=mb();return function(t,i,n,o,s,a){return Lh(r,i,s,a),Lh(e,n,o,a),Lh(t,r,e,2*a*(1-a)),t}})(),b8=(function(){let r=jx();return function(e,t,i,n){return r[0]=i[0],r[3]=i[1],r[6]=i[2],r[1]=n[0],r[4]=n[1],r[7]=n[2],r[2]=-t[0],r[5]=-t[1],r[8]=-t[2],_b(e,gI(e,r))}})()});var v8,w8,P8,E8,xb=x(()=>{v8=Math.PI/2,w8=Math.PI/4,P8=Math.PI/6,E8=Math.PI*2});var _e=x(()=>{$x();gb();xb();Gi();nh();xh();yb();Yd();Lo();Tc()});function Ch(r,e=[],t=0){let i=Math.fround(r),n=r-i;return e[t]=i,e[t+1]=n,e}function bb(r){return r-Math.fround(r)}function vb(r){let e=new Float32Array(32);for(let t=0;t<4;++t)for(let i=0;i<4;++i){let n=t*4+i;Ch(r[i*4+t],e,n*2)}return e}var wb=x(()=>{});function Ac(r,e=!0){return r??e}function Ah(r=[0,0,0],e=!0){return e?r.map(t=>t/255):[...r]}function Pb(r,e=!0){let t=Ah(r.slice(0,3),e),i=Number.isFinite(r[3]),n=i?r[3]:1;return[t[0],t[1],t[2],e&&i?n/255:n]}var Mh=x(()=>{});var yI,xI,ti,Eb=x(()=>{yI=`#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND

// All these functions are for substituting tan() function from Intel GPU only
const float TWO_PI = 6.2831854820251465;
const float PI_2 = 1.5707963705062866;
const float PI_16 = 0.1963495463132858;

const float SIN_TABLE_0 = 0.19509032368659973;
const float SIN_TABLE_1 = 0.3826834261417389;
const float SIN_TABLE_2 = 0.5555702447891235;
const float SIN_TABLE_3 = 0.7071067690849304;

const float COS_TABLE_0 = 0.9807852506637573;
const float COS_TABLE_1 = 0.9238795042037964;
const float COS_TABLE_2 = 0.8314695954322815;
const float COS_TABLE_3 = 0.7071067690849304;

const float INVERSE_FACTORIAL_3 = 1.666666716337204e-01; // 1/3!
const float INVERSE_FACTORIAL_5 = 8.333333767950535e-03; // 1/5!
const float INVERSE_FACTORIAL_7 = 1.9841270113829523e-04; // 1/7!
const float INVERSE_FACTORIAL_9 = 2.75573188446287533e-06; // 1/9!

float sin_taylor_fp32(float a) {
  float r, s, t, x;

  if (a == 0.0) {
    return 0.0;
  }

  x = -a * a;
  s = a;
  r = a;

  r = r * x;
  t = r * INVERSE_FACTORIAL_3;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_5;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_7;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_9;
  s = s + t;

  return s;
}

void sincos_taylor_fp32(float a, out float sin_t, out float cos_t) {
  if (a == 0.0) {
    sin_t = 0.0;
    cos_t = 1.0;
  }
  sin_t = sin_taylor_fp32(a);
  cos_t = sqrt(1.0 - sin_t * sin_t);
}

float tan_taylor_fp32(float a) {
    float sin_a;
    float cos_a;

    if (a == 0.0) {
        return 0.0;
    }

    // 2pi range reduction
    float z = floor(a / TWO_PI);
    float r = a - TWO_PI * z;

    float t;
    float q = floor(r / PI_2 + 0.5);
    int j = int(q);

    if (j < -2 || j > 2) {
        return 1.0 / 0.0;
    }

    t = r - PI_2 * q;

    q = floor(t / PI_16 + 0.5);
    int k = int(q);
    int abs_k = int(abs(float(k)));

    if (abs_k > 4) {
        return 1.0 / 0.0;
    } else {
        t = t - PI_16 * q;
    }

    float u = 0.0;
    float v = 0.0;

    float sin_t, cos_t;
    float s, c;
    sincos_taylor_fp32(t, sin_t, cos_t);

    if (k == 0) {
        s = sin_t;
        c = cos_t;
    } else {
        if (abs(float(abs_k) - 1.0) < 0.5) {
            u = COS_TABLE_0;
            v = SIN_TABLE_0;
        } else if (abs(float(abs_k) - 2.0) < 0.5) {
            u = COS_TABLE_1;
            v = SIN_TABLE_1;
        } else if (abs(float(abs_k) - 3.0) < 0.5) {
            u = COS_TABLE_2;
            v = SIN_TABLE_2;
        } else if (abs(float(abs_k) - 4.0) < 0.5) {
            u = COS_TABLE_3;
            v = SIN_TABLE_3;
        }
        if (k > 0) {
            s = u * sin_t + v * cos_t;
            c = u * cos_t - v * sin_t;
        } else {
            s = u * sin_t - v * cos_t;
            c = u * cos_t + v * sin_t;
        }
    }

    if (j == 0) {
        sin_a = s;
        cos_a = c;
    } else if (j == 1) {
        sin_a = c;
        cos_a = -s;
    } else if (j == -1) {
        sin_a = -c;
        cos_a = s;
    } else {
        sin_a = -s;
        cos_a = -c;
    }
    return sin_a / cos_a;
}
#endif

float tan_fp32(float a) {
#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND
  return tan_taylor_fp32(a);
#else
  return tan(a);
#endif
}
`,xI=`#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND
const FP32_TWO_PI: f32 = 6.2831854820251465;
const FP32_PI_2: f32 = 1.5707963705062866;
const FP32_PI_16: f32 = 0.1963495463132858;

const FP32_SIN_TABLE_0: f32 = 0.19509032368659973;
const FP32_SIN_TABLE_1: f32 = 0.3826834261417389;
const FP32_SIN_TABLE_2: f32 = 0.5555702447891235;
const FP32_SIN_TABLE_3: f32 = 0.7071067690849304;

const FP32_COS_TABLE_0: f32 = 0.9807852506637573;
const FP32_COS_TABLE_1: f32 = 0.9238795042037964;
const FP32_COS_TABLE_2: f32 = 0.8314695954322815;
const FP32_COS_TABLE_3: f32 = 0.7071067690849304;

const FP32_INVERSE_FACTORIAL_3: f32 = 1.666666716337204e-01;
const FP32_INVERSE_FACTORIAL_5: f32 = 8.333333767950535e-03;
const FP32_INVERSE_FACTORIAL_7: f32 = 1.9841270113829523e-04;
const FP32_INVERSE_FACTORIAL_9: f32 = 2.75573188446287533e-06;
const FP32_OVERFLOW: f32 = 3.402823466e+38;

fn sin_taylor_fp32(a: f32) -> f32 {
  if (a == 0.0) {
    return 0.0;
  }

  let x = -a * a;
  var sum = a;
  var term = a;

  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_3;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_5;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_7;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_9;

  return sum;
}

fn tan_taylor_fp32(a: f32) -> f32 {
  if (a == 0.0) {
    return 0.0;
  }

  let z = floor(a / FP32_TWO_PI);
  let reduced = a - FP32_TWO_PI * z;

  var quadrantValue = floor(reduced / FP32_PI_2 + 0.5);
  let quadrant = i32(quadrantValue);
  if (quadrant < -2 || quadrant > 2) {
    return FP32_OVERFLOW;
  }

  var angle = reduced - FP32_PI_2 * quadrantValue;
  quadrantValue = floor(angle / FP32_PI_16 + 0.5);
  let tableIndex = i32(quadrantValue);
  let absoluteTableIndex = abs(tableIndex);
  if (absoluteTableIndex > 4) {
    return FP32_OVERFLOW;
  }

  angle = angle - FP32_PI_16 * quadrantValue;
  let sinAngle = sin_taylor_fp32(angle);
  let cosAngle = sqrt(1.0 - sinAngle * sinAngle);

  var tableCos = 0.0;
  var tableSin = 0.0;
  if (absoluteTableIndex == 1) {
    tableCos = FP32_COS_TABLE_0;
    tableSin = FP32_SIN_TABLE_0;
  } else if (absoluteTableIndex == 2) {
    tableCos = FP32_COS_TABLE_1;
    tableSin = FP32_SIN_TABLE_1;
  } else if (absoluteTableIndex == 3) {
    tableCos = FP32_COS_TABLE_2;
    tableSin = FP32_SIN_TABLE_2;
  } else if (absoluteTableIndex == 4) {
    tableCos = FP32_COS_TABLE_3;
    tableSin = FP32_SIN_TABLE_3;
  }

  var sinReduced = sinAngle;
  var cosReduced = cosAngle;
  if (tableIndex > 0) {
    sinReduced = tableCos * sinAngle + tableSin * cosAngle;
    cosReduced = tableCos * cosAngle - tableSin * sinAngle;
  } else if (tableIndex < 0) {
    sinReduced = tableCos * sinAngle - tableSin * cosAngle;
    cosReduced = tableCos * cosAngle + tableSin * sinAngle;
  }

  var sinValue = 0.0;
  var cosValue = 0.0;
  if (quadrant == 0) {
    sinValue = sinReduced;
    cosValue = cosReduced;
  } else if (quadrant == 1) {
    sinValue = cosReduced;
    cosValue = -sinReduced;
  } else if (quadrant == -1) {
    sinValue = -cosReduced;
    cosValue = sinReduced;
  } else {
    sinValue = -sinReduced;
    cosValue = -cosReduced;
  }

  return sinValue / cosValue;
}

fn tan_fp32(a: f32) -> f32 {
  return tan_taylor_fp32(a);
}
#else
fn tan_fp32(a: f32) -> f32 {
  return tan(a);
}
#endif
`,ti={name:"fp32",source:xI,vs:yI}});var Ih,Sb=x(()=>{Ih=`
layout(std140) uniform fp64arithmeticUniforms {
  uniform float ONE;
  uniform float SPLIT;
} fp64;

/*
About LUMA_FP64_CODE_ELIMINATION_WORKAROUND

The purpose of this workaround is to prevent shader compilers from
optimizing away necessary arithmetic operations by swapping their sequences
or transform the equation to some 'equivalent' form.

These helpers implement Dekker/Veltkamp-style error tracking. If the compiler
folds constants or reassociates the arithmetic, the high/low split can stop
tracking the rounding error correctly. That failure mode tends to look fine in
simple coordinate setup, but then breaks down inside iterative arithmetic such
as fp64 Mandelbrot loops.

The method is to multiply an artifical variable, ONE, which will be known to
the compiler to be 1 only at runtime. The whole expression is then represented
as a polynomial with respective to ONE. In the coefficients of all terms, only one a
and one b should appear

err = (a + b) * ONE^6 - a * ONE^5 - (a + b) * ONE^4 + a * ONE^3 - b - (a + b) * ONE^2 + a * ONE
*/

float prevent_fp64_optimization(float value) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  return value + fp64.ONE * 0.0;
#else
  return value;
#endif
}

// Divide float number to high and low floats to extend fraction bits
vec2 split(float a) {
  // Keep SPLIT as a runtime uniform so the compiler cannot fold the Dekker
  // split into a constant expression and reassociate the recovery steps.
  float split = prevent_fp64_optimization(fp64.SPLIT);
  float t = prevent_fp64_optimization(a * split);
  float temp = t - a;
  float a_hi = t - temp;
  float a_lo = a - a_hi;
  return vec2(a_hi, a_lo);
}

// Divide float number again when high float uses too many fraction bits
vec2 split2(vec2 a) {
  vec2 b = split(a.x);
  b.y += a.y;
  return b;
}

// Special sum operation when a > b
vec2 quickTwoSum(float a, float b) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float sum = (a + b) * fp64.ONE;
  float err = b - (sum - a) * fp64.ONE;
#else
  float sum = a + b;
  float err = b - (sum - a);
#endif
  return vec2(sum, err);
}

// General sum operation
vec2 twoSum(float a, float b) {
  float s = (a + b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE + (b - v);
#else
  float v = s - a;
  float err = (a - (s - v)) + (b - v);
#endif
  return vec2(s, err);
}

vec2 twoSub(float a, float b) {
  float s = (a - b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE - (b + v);
#else
  float v = s - a;
  float err = (a - (s - v)) - (b + v);
#endif
  return vec2(s, err);
}

vec2 twoSqr(float a) {
  float prod = a * a;
  vec2 a_fp64 = split(a);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err = ((a_fp64.x * a_fp64.x - prod) * fp64.ONE + 2.0 * a_fp64.x *
    a_fp64.y * fp64.ONE * fp64.ONE) + a_fp64.y * a_fp64.y * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err = ((a_fp64.x * a_fp64.x - prod) + 2.0 * a_fp64.x * a_fp64.y) + a_fp64.y * a_fp64.y;
#endif
  return vec2(prod, err);
}

vec2 twoProd(float a, float b) {
  float prod = a * b;
  vec2 a_fp64 = split(a);
  vec2 b_fp64 = split(b);
  // twoProd is especially sensitive because mul_fp64 and div_fp64 both depend
  // on the split terms and cross terms staying in the original evaluation
  // order. If the compiler folds or reassociates them, the low part tends to
  // collapse to zero or NaN on some drivers.
  float highProduct = prevent_fp64_optimization(a_fp64.x * b_fp64.x);
  float crossProduct1 = prevent_fp64_optimization(a_fp64.x * b_fp64.y);
  float crossProduct2 = prevent_fp64_optimization(a_fp64.y * b_fp64.x);
  float lowProduct = prevent_fp64_optimization(a_fp64.y * b_fp64.y);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err1 = (highProduct - prod) * fp64.ONE;
  float err2 = crossProduct1 * fp64.ONE * fp64.ONE;
  float err3 = crossProduct2 * fp64.ONE * fp64.ONE * fp64.ONE;
  float err4 = lowProduct * fp64.ONE * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err1 = highProduct - prod;
  float err2 = crossProduct1;
  float err3 = crossProduct2;
  float err4 = lowProduct;
#endif
  float err = ((err1 + err2) + err3) + err4;
  return vec2(prod, err);
}

vec2 sum_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSum(a.x, b.x);
  t = twoSum(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 sub_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSub(a.x, b.x);
  t = twoSub(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 mul_fp64(vec2 a, vec2 b) {
  vec2 prod = twoProd(a.x, b.x);
  // y component is for the error
  prod.y += a.x * b.y;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  prod.y += a.y * b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

vec2 div_fp64(vec2 a, vec2 b) {
  float xn = 1.0 / b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  vec2 yn = mul_fp64(a, vec2(xn, 0));
#else
  vec2 yn = a * xn;
#endif
  float diff = (sub_fp64(a, mul_fp64(b, yn))).x;
  vec2 prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

vec2 sqrt_fp64(vec2 a) {
  if (a.x == 0.0 && a.y == 0.0) return vec2(0.0, 0.0);
  if (a.x < 0.0) return vec2(0.0 / 0.0, 0.0 / 0.0);

  float x = 1.0 / sqrt(a.x);
  float yn = a.x * x;
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  vec2 yn_sqr = twoSqr(yn) * fp64.ONE;
#else
  vec2 yn_sqr = twoSqr(yn);
#endif
  float diff = sub_fp64(a, yn_sqr).x;
  vec2 prod = twoProd(x * 0.5, diff);
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2(yn, 0.0), prod);
#endif
}
`});var Tb,Lb=x(()=>{Tb=`struct Fp64F32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent.
fn fp64_decode_f32_bits(bits: u32) -> Fp64F32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64F32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64F32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64F32Bits(sign, i32(exponentBits) - 150, 0x800000u | fraction, false, false, false);
}

fn fp64_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return exactSign << 31u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;

  // A normal two-sum/two-product residual never needs a shift this large.
  // This guard gives deterministic underflow behavior outside that contract.
  if (exactShift >= 64 || highShift >= 64) {
    return exactSign << 31u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let lowBits = fp64_make_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  return vec2u(highBits, lowBits);
}

fn fp64_two_sum_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u((a.sign & b.sign) << 31u, 0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = select(
    b.baseExponent - a.baseExponent,
    a.baseExponent - b.baseExponent,
    a.baseExponent >= b.baseExponent
  );

  // Beyond half an ulp, rounding cannot change the larger operand. Returning
  // the smaller operand intact also avoids an unbounded integer alignment.
  // At a power-of-two boundary the spacing below the larger operand is half
  // the spacing above it, so an opposite-sign gap-25 operand can still change
  // the rounded high limb. Gap 26 is the first universally safe early-out.
  if (exponentDifference > 25) {
    if (fp64_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u, 0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_accumulator_bits(resultSign, resultMagnitude, commonBaseExponent);
}

fn fp64_two_sum_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_multiply_significands(a: u32, b: u32) -> vec2u {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let lowProduct = aLow * bLow;
  let crossProduct = aLow * bHigh + aHigh * bLow;
  let highProduct = aHigh * bHigh;

  var result = vec2u(0u, lowProduct);
  result = fp64_u64_add(
    result,
    fp64_u64_shift_left(vec2u(0u, crossProduct), 16u)
  );
  result = fp64_u64_add(result, vec2u(highProduct, 0u));
  return result;
}

fn fp64_two_prod_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);
  let resultSign = a.sign ^ b.sign;

  if (a.isNan || b.isNan || ((a.isZero || b.isZero) && (a.isInf || b.isInf))) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    return vec2u((resultSign << 31u) | 0x7f800000u, resultSign << 31u);
  }
  if (a.isZero || b.isZero) {
    return vec2u(resultSign << 31u, resultSign << 31u);
  }

  let magnitude = fp64_multiply_significands(a.significand, b.significand);
  return fp64_split_accumulator_bits(
    resultSign,
    magnitude,
    a.baseExponent + b.baseExponent
  );
}

fn fp64_two_prod_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_prod_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_round_add_integer(a: f32, b: f32) -> f32 {
  return fp64_two_sum_integer(a, b).x;
}

fn fp64_round_mul_integer(a: f32, b: f32) -> f32 {
  return fp64_two_prod_integer(a, b).x;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_finite_exponent(value: Fp64F32Bits) -> i32 {
  let mostSignificantBit = 31u - countLeadingZeros(value.significand);
  return value.baseExponent + i32(mostSignificantBit);
}

fn fp64_scale_f32_integer(value: f32, exponent: i32) -> f32 {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(value));
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return value;
  }
  let resultBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent + exponent
  );
  return bitcast<f32>(resultBits);
}

// Divide normalized significands so the hardware operation cannot overflow,
// underflow, or flush a subnormal result. Reapply the exponent with integer
// packing, which also produces subnormal correction limbs without relying on
// floating-point arithmetic to preserve them.
fn fp64_divide_f32_integer(aValue: f32, bValue: f32) -> f32 {
  let a = fp64_decode_f32_bits(bitcast<u32>(aValue));
  let b = fp64_decode_f32_bits(bitcast<u32>(bValue));
  if (a.isZero || b.isZero || a.isInf || b.isInf || a.isNan || b.isNan) {
    return aValue / bValue;
  }

  let aMostSignificantBit = 31u - countLeadingZeros(a.significand);
  let bMostSignificantBit = 31u - countLeadingZeros(b.significand);
  let normalizedABits = fp64_make_f32_bits_from_u64(
    a.sign,
    vec2u(0u, a.significand),
    -i32(aMostSignificantBit)
  );
  let normalizedBBits = fp64_make_f32_bits_from_u64(
    b.sign,
    vec2u(0u, b.significand),
    -i32(bMostSignificantBit)
  );
  let normalizedQuotient = bitcast<f32>(normalizedABits) / bitcast<f32>(normalizedBBits);
  let quotient = fp64_decode_f32_bits(bitcast<u32>(normalizedQuotient));
  let exponentShift =
    a.baseExponent + i32(aMostSignificantBit) -
    b.baseExponent - i32(bMostSignificantBit);
  let quotientBits = fp64_make_f32_bits_from_u64(
    quotient.sign,
    vec2u(0u, quotient.significand),
    quotient.baseExponent + exponentShift
  );
  return bitcast<f32>(quotientBits);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn split(a: f32) -> vec2f {
  let aBits = bitcast<u32>(a);
  let decoded = fp64_decode_f32_bits(aBits);
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return vec2f(a, 0.0);
  }

  var roundedHigh = decoded.significand >> 12u;
  let remainder = decoded.significand & 0xfffu;
  if (remainder > 0x800u || (remainder == 0x800u && (roundedHigh & 1u) == 1u)) {
    roundedHigh = roundedHigh + 1u;
  }
  var highMagnitude = vec2u(0u, roundedHigh << 12u);
  var highBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    highMagnitude,
    decoded.baseExponent
  );
  // Rounding the high limb of a maximum-exponent value can overflow even
  // though the original value is finite. Truncate only in that boundary case
  // so split remains an exact finite decomposition.
  if (fp64_decode_f32_bits(highBits).isInf) {
    roundedHigh = decoded.significand >> 12u;
    highMagnitude = vec2u(0u, roundedHigh << 12u);
    highBits = fp64_make_f32_bits_from_u64(
      decoded.sign,
      highMagnitude,
      decoded.baseExponent
    );
  }
  let lowBits = fp64_make_residual_f32_bits(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent,
    highBits
  );
  return vec2f(bitcast<f32>(highBits), bitcast<f32>(lowBits));
}

fn split2(a: vec2f) -> vec2f {
  var result = split(a.x);
  result.y = fp64_round_add_integer(result.y, a.y);
  return result;
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn quickTwoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}
#endif

fn twoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let bBits = bitcast<u32>(b) ^ 0x80000000u;
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn twoSqr(a: f32) -> vec2f {
  return fp64_two_prod_integer(a, a);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  return fp64_two_prod_integer(a, b);
}
#endif

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var sum = fp64_two_sum_integer(a.x, b.x);
  let lowSum = fp64_two_sum_integer(a.y, b.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.x);
  sum = fp64_two_sum_integer(sum.x, sum.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.y);
  return fp64_two_sum_integer(sum.x, sum.y);
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  let negatedB = vec2f(
    bitcast<f32>(bitcast<u32>(b.x) ^ 0x80000000u),
    bitcast<f32>(bitcast<u32>(b.y) ^ 0x80000000u)
  );
  return sum_fp64(a, negatedB);
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var product = fp64_two_prod_integer(a.x, b.x);
  let crossProduct1 = fp64_round_mul_integer(a.x, b.y);
  product.y = fp64_round_add_integer(product.y, crossProduct1);
  product = fp64_two_sum_integer(product.x, product.y);
  let crossProduct2 = fp64_round_mul_integer(a.y, b.x);
  product.y = fp64_round_add_integer(product.y, crossProduct2);
  return fp64_two_sum_integer(product.x, product.y);
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_scale_fp64_integer(value: vec2f, exponent: i32) -> vec2f {
  let high = fp64_scale_f32_integer(value.x, exponent);
  let low = fp64_scale_f32_integer(value.y, exponent);
  return sum_fp64(vec2f(high, 0.0), vec2f(low, 0.0));
}

fn fp64_div_fp64_normalized(a: vec2f, b: vec2f) -> vec2f {
  let quotientHigh = fp64_divide_f32_integer(a.x, b.x);
  var quotient = vec2f(quotientHigh, 0.0);

  let remainder = sub_fp64(a, mul_fp64(b, quotient));
  let quotientLow = fp64_divide_f32_integer(remainder.x, b.x);
  quotient = sum_fp64(quotient, vec2f(quotientLow, 0.0));

  let secondRemainder = sub_fp64(a, mul_fp64(b, quotient));
  let correction = fp64_divide_f32_integer(secondRemainder.x, b.x);
  return sum_fp64(quotient, vec2f(correction, 0.0));
}

fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let decodedA = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedB = fp64_decode_f32_bits(bitcast<u32>(b.x));
  if (
    decodedA.isZero || decodedB.isZero ||
    decodedA.isInf || decodedB.isInf ||
    decodedA.isNan || decodedB.isNan
  ) {
    return fp64_div_fp64_normalized(a, b);
  }

  let exponentA = fp64_f32_finite_exponent(decodedA);
  let exponentB = fp64_f32_finite_exponent(decodedB);
  // Correct the quotient near unity so b * q and the remainder stay clear of
  // both f32 underflow and overflow. The exponent difference is applied once.
  let normalizedA = fp64_scale_fp64_integer(a, -exponentA);
  let normalizedB = fp64_scale_fp64_integer(b, -exponentB);
  let normalizedQuotient = fp64_div_fp64_normalized(normalizedA, normalizedB);
  return fp64_scale_fp64_integer(normalizedQuotient, exponentA - exponentB);
}

fn fp64_sqrt_fp64_normalized(a: vec2f) -> vec2f {
  let estimate = sqrt(a.x);
  let difference = sub_fp64(a, fp64_two_prod_integer(estimate, estimate)).x;
  let denominator = fp64_round_add_integer(estimate, estimate);
  let correction = fp64_divide_f32_integer(difference, denominator);
  return sum_fp64(vec2f(estimate, 0.0), vec2f(correction, 0.0));
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedLow = fp64_decode_f32_bits(bitcast<u32>(a.y));
  if (decoded.isZero && decodedLow.isZero) {
    return vec2f(0.0, 0.0);
  }
  if (decoded.sign == 1u) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  if (decoded.isInf || decoded.isNan) {
    return fp64_sqrt_fp64_normalized(a);
  }
  let exponent = fp64_f32_finite_exponent(decoded);
  // An even scale lets the final square-root rescale use an integer exponent.
  let evenExponent = exponent - (exponent & 1);
  let normalizedA = fp64_scale_fp64_integer(a, -evenExponent);
  let normalizedRoot = fp64_sqrt_fp64_normalized(normalizedA);
  return fp64_scale_fp64_integer(normalizedRoot, evenExponent / 2);
}
#endif
`});var Cb,Ab=x(()=>{Lb();Cb=`struct Fp64ArithmeticUniforms {
  ONE: f32,
  SPLIT: f32,
};

@group(0) @binding(auto) var<uniform> fp64arithmetic : Fp64ArithmeticUniforms;

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64Bits {
  sign: u32,
  exponent: i32,
  significand: vec2u,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_nan(seed: f32) -> f32 {
  let nanBits = 0x7fc00000u | select(0u, 1u, seed < 0.0);
  return bitcast<f32>(nanBits);
}
#endif

fn fp64_u64_is_zero(value: vec2u) -> bool {
  return value.x == 0u && value.y == 0u;
}

fn fp64_u64_compare(a: vec2u, b: vec2u) -> i32 {
  if (a.x != b.x) {
    return select(-1, 1, a.x > b.x);
  }
  if (a.y != b.y) {
    return select(-1, 1, a.y > b.y);
  }
  return 0;
}

fn fp64_u64_add(a: vec2u, b: vec2u) -> vec2u {
  let low = a.y + b.y;
  let carry = select(0u, 1u, low < a.y);
  return vec2u(a.x + b.x + carry, low);
}

fn fp64_u64_sub(a: vec2u, b: vec2u) -> vec2u {
  let borrow = select(0u, 1u, a.y < b.y);
  return vec2u(a.x - b.x - borrow, a.y - b.y);
}

fn fp64_u64_shift_left(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u((value.x << shift) | (value.y >> (32u - shift)), value.y << shift);
  }
  if (shift == 32u) {
    return vec2u(value.y, 0u);
  }
  if (shift < 64u) {
    return vec2u(value.y << (shift - 32u), 0u);
  }
  return vec2u(0u);
}

fn fp64_u64_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u(value.x >> shift, (value.y >> shift) | (value.x << (32u - shift)));
  }
  if (shift == 32u) {
    return vec2u(0u, value.x);
  }
  if (shift < 64u) {
    return vec2u(0u, value.x >> (shift - 32u));
  }
  return vec2u(0u);
}

fn fp64_u64_get_bit(value: vec2u, bitIndex: u32) -> bool {
  if (bitIndex >= 64u) {
    return false;
  }
  if (bitIndex >= 32u) {
    return ((value.x >> (bitIndex - 32u)) & 1u) != 0u;
  }
  return ((value.y >> bitIndex) & 1u) != 0u;
}

fn fp64_u64_has_bits_below(value: vec2u, bitCount: u32) -> bool {
  if (bitCount == 0u) {
    return false;
  }
  if (bitCount >= 64u) {
    return !fp64_u64_is_zero(value);
  }
  if (bitCount > 32u) {
    let highBitCount = bitCount - 32u;
    let highMask = (1u << highBitCount) - 1u;
    return value.y != 0u || (value.x & highMask) != 0u;
  }
  if (bitCount == 32u) {
    return value.y != 0u;
  }
  let lowMask = (1u << bitCount) - 1u;
  return (value.y & lowMask) != 0u;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_u64_shift_right_sticky(value: vec2u, shift: u32) -> vec2u {
  var shifted = fp64_u64_shift_right(value, shift);
  if (fp64_u64_has_bits_below(value, shift)) {
    shifted.y = shifted.y | 1u;
  }
  return shifted;
}
#endif

fn fp64_u64_count_leading_zeros(value: vec2u) -> u32 {
  if (value.x != 0u) {
    return countLeadingZeros(value.x);
  }
  return 32u + countLeadingZeros(value.y);
}

fn fp64_round_shift_right_to_u32(value: vec2u, shift: u32) -> u32 {
  if (shift == 0u) {
    return value.y;
  }

  let truncated = fp64_u64_shift_right(value, shift);
  var rounded = truncated.y;
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded & 1u) == 1u)) {
    rounded = rounded + 1u;
  }
  return rounded;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_round_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }

  var rounded = fp64_u64_shift_right(value, shift);
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded.y & 1u) == 1u)) {
    rounded = fp64_u64_add(rounded, vec2u(0u, 1u));
  }
  return rounded;
}
#endif

fn fp64_make_f32_bits_from_u64(sign: u32, significand: vec2u, baseExponent: i32) -> u32 {
  if (fp64_u64_is_zero(significand)) {
    return sign << 31u;
  }

  let leadingZeros = fp64_u64_count_leading_zeros(significand);
  let mostSignificantBit = 63u - leadingZeros;
  var exponent = baseExponent + i32(mostSignificantBit);

  if (exponent > 127) {
    return (sign << 31u) | 0x7f800000u;
  }

  if (exponent >= -126) {
    let shift = i32(mostSignificantBit) - 23;
    var significand24: u32;
    if (shift > 0) {
      significand24 = fp64_round_shift_right_to_u32(significand, u32(shift));
    } else {
      significand24 = fp64_u64_shift_left(significand, u32(-shift)).y;
    }

    if (significand24 >= 0x1000000u) {
      significand24 = significand24 >> 1u;
      exponent = exponent + 1;
      if (exponent > 127) {
        return (sign << 31u) | 0x7f800000u;
      }
    }

    return (sign << 31u) | (u32(exponent + 127) << 23u) | (significand24 & 0x7fffffu);
  }

  let scaleExponent = baseExponent + 149;
  var mantissa: u32;
  if (scaleExponent >= 0) {
    mantissa = fp64_u64_shift_left(significand, u32(scaleExponent)).y;
  } else {
    mantissa = fp64_round_shift_right_to_u32(significand, u32(-scaleExponent));
  }

  if (mantissa >= 0x800000u) {
    return (sign << 31u) | 0x00800000u;
  }
  return (sign << 31u) | mantissa;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_decode_bits(bits: vec2u) -> Fp64Bits {
  let sign = bits.x >> 31u;
  let exponentBits = (bits.x >> 20u) & 0x7ffu;
  let fractionHigh = bits.x & 0xfffffu;
  let fractionLow = bits.y;
  let fraction = vec2u(fractionHigh, fractionLow);

  if (exponentBits == 0x7ffu) {
    let isInf = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, 0, vec2u(0u), false, isInf, !isInf);
  }

  if (exponentBits == 0u) {
    let isZero = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, -1022, fraction, isZero, false, false);
  }

  return Fp64Bits(sign, i32(exponentBits) - 1023, vec2u((1u << 20u) | fractionHigh, fractionLow), false, false, false);
}

fn fp64_finite_magnitude_compare(a: Fp64Bits, b: Fp64Bits) -> i32 {
  if (a.exponent != b.exponent) {
    return select(-1, 1, a.exponent > b.exponent);
  }
  return fp64_u64_compare(a.significand, b.significand);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64RawF32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent. This shared
// integer representation lets normalization remain independent of the
// selected double-single arithmetic implementation.
fn fp64_decode_raw_f32_bits(bits: u32) -> Fp64RawF32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64RawF32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64RawF32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64RawF32Bits(
    sign,
    i32(exponentBits) - 150,
    0x800000u | fraction,
    false,
    false,
    false
  );
}

fn fp64_raw_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_raw_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_raw_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return 0u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;
  if (exactShift >= 64 || highShift >= 64) {
    return 0u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_raw_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let rawLowBits = fp64_make_raw_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  let lowBits = select(rawLowBits, 0u, (rawLowBits & 0x7fffffffu) == 0u);
  if ((highBits & 0x7fffffffu) == 0u && (lowBits & 0x7fffffffu) == 0u) {
    return vec2u(0u);
  }
  return vec2u(highBits, lowBits);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
// Round an arithmetic accumulator to binary64 before splitting it. The
// aligned add/subtract paths retain three guard bits plus a sticky bit, which
// is sufficient for round-to-nearest-even at the binary64 boundary.
fn fp64_split_binary64_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }

  let mostSignificantBit = 63u - fp64_u64_count_leading_zeros(magnitude);
  let exponent = baseExponent + i32(mostSignificantBit);
  if (exponent > 1023) {
    return vec2u((sign << 31u) | 0x7f800000u, 0u);
  }

  var roundedMagnitude = magnitude;
  var roundedBaseExponent = baseExponent;
  if (exponent >= -1022) {
    if (mostSignificantBit > 52u) {
      let shift = mostSignificantBit - 52u;
      roundedMagnitude = fp64_round_shift_right(magnitude, shift);
      roundedBaseExponent = baseExponent + i32(shift);
    }
  } else {
    let shift = -1074 - baseExponent;
    if (shift > 0) {
      roundedMagnitude = fp64_round_shift_right(magnitude, u32(shift));
      roundedBaseExponent = -1074;
    }
  }

  if (fp64_u64_is_zero(roundedMagnitude)) {
    return vec2u(0u);
  }
  return fp64_split_raw_accumulator_bits(sign, roundedMagnitude, roundedBaseExponent);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_add_raw_f32_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_raw_f32_bits(aBits);
  let b = fp64_decode_raw_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = abs(a.baseExponent - b.baseExponent);
  if (exponentDifference > 25) {
    if (fp64_raw_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_raw_accumulator_bits(
    resultSign,
    resultMagnitude,
    commonBaseExponent
  );
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_add_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_sub_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_add_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

fn fp64_sub_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

// Subtract two raw binary64 values and round the exact result once to f32.
// The input words are canonical high/low words: .x contains sign/exponent/high
// fraction bits, and .y contains the low 32 fraction bits.
fn sub_fp64u32_to_f32_bits(aBits: vec2u, bBits: vec2u) -> u32 {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return 0x7fc00000u;
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return (a.sign << 31u) | 0x7f800000u;
    }
    return 0x7fc00000u;
  }
  if (a.isInf) {
    return (a.sign << 31u) | 0x7f800000u;
  }
  if (b.isInf) {
    return (bSubtractionSign << 31u) | 0x7f800000u;
  }
  if (a.isZero && b.isZero) {
    return select(0u, 0x80000000u, a.sign == 1u && b.sign == 0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return 0u;
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_f32_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_f32_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_f32(aBits: vec2u, bBits: vec2u) -> f32 {
  return bitcast<f32>(sub_fp64u32_to_f32_bits(aBits, bBits));
}

// Subtract two raw binary64 values, round once to binary64, then split the
// result into normalized f32 limbs. Finite results must fit within the f32
// exponent range; larger magnitudes map to infinity and smaller magnitudes
// map to zero. The input words use canonical high/low word order.
fn sub_fp64u32_to_fp64_bits(aBits: vec2u, bBits: vec2u) -> vec2u {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
    }
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf) {
    return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
  }
  if (b.isInf) {
    return vec2u((bSubtractionSign << 31u) | 0x7f800000u, 0u);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return vec2u(0u);
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_fp64_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_fp64(aBits: vec2u, bBits: vec2u) -> vec2f {
  let resultBits = sub_fp64u32_to_fp64_bits(aBits, bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_runtime_zero() -> f32 {
  return fp64arithmetic.ONE * 0.0;
}

fn prevent_fp64_optimization(value: f32) -> f32 {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  return value + fp64_runtime_zero();
#else
  return value;
#endif
}
#endif

#ifdef LUMA_FP64_INTEGER_ARITHMETIC
${Tb}
#else
fn split(a: f32) -> vec2f {
  let splitValue = prevent_fp64_optimization(fp64arithmetic.SPLIT + fp64_runtime_zero());
  let t = prevent_fp64_optimization(a * splitValue);
  let temp = prevent_fp64_optimization(t - a);
  let aHi = prevent_fp64_optimization(t - temp);
  let aLo = prevent_fp64_optimization(a - aHi);
  return vec2f(aHi, aLo);
}

fn split2(a: vec2f) -> vec2f {
  var b = split(a.x);
  b.y = b.y + a.y;
  return b;
}

fn quickTwoSum(a: f32, b: f32) -> vec2f {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let sum = prevent_fp64_optimization((a + b) * fp64arithmetic.ONE);
  let err = prevent_fp64_optimization(b - (sum - a) * fp64arithmetic.ONE);
#else
  let sum = prevent_fp64_optimization(a + b);
  let err = prevent_fp64_optimization(b - (sum - a));
#endif
  return vec2f(sum, err);
}

fn twoSum(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a + b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) +
    prevent_fp64_optimization(b - v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) + prevent_fp64_optimization(b - v);
#endif
  return vec2f(s, err);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a - b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) -
    prevent_fp64_optimization(b + v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) - prevent_fp64_optimization(b + v);
#endif
  return vec2f(s, err);
}

fn twoSqr(a: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * a);
  let aFp64 = split(a);
  let highProduct = prevent_fp64_optimization(aFp64.x * aFp64.x);
  let crossProduct = prevent_fp64_optimization(2.0 * aFp64.x * aFp64.y);
  let lowProduct = prevent_fp64_optimization(aFp64.y * aFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err =
    (prevent_fp64_optimization(highProduct - prod) * fp64arithmetic.ONE +
      crossProduct * fp64arithmetic.ONE * fp64arithmetic.ONE) +
    lowProduct * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
#else
  let err = ((prevent_fp64_optimization(highProduct - prod) + crossProduct) + lowProduct);
#endif
  return vec2f(prod, err);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * b);
  let aFp64 = split(a);
  let bFp64 = split(b);
  let highProduct = prevent_fp64_optimization(aFp64.x * bFp64.x);
  let crossProduct1 = prevent_fp64_optimization(aFp64.x * bFp64.y);
  let crossProduct2 = prevent_fp64_optimization(aFp64.y * bFp64.x);
  let lowProduct = prevent_fp64_optimization(aFp64.y * bFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err1 = (highProduct - prod) * fp64arithmetic.ONE;
  let err2 = crossProduct1 * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err3 = crossProduct2 * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err4 =
    lowProduct *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE;
#else
  let err1 = highProduct - prod;
  let err2 = crossProduct1;
  let err3 = crossProduct2;
  let err4 = lowProduct;
#endif
  let err12InputA = prevent_fp64_optimization(err1);
  let err12InputB = prevent_fp64_optimization(err2);
  let err12 = prevent_fp64_optimization(err12InputA + err12InputB);
  let err123InputA = prevent_fp64_optimization(err12);
  let err123InputB = prevent_fp64_optimization(err3);
  let err123 = prevent_fp64_optimization(err123InputA + err123InputB);
  let err1234InputA = prevent_fp64_optimization(err123);
  let err1234InputB = prevent_fp64_optimization(err4);
  let err = prevent_fp64_optimization(err1234InputA + err1234InputB);
  return vec2f(prod, err);
}

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSum(a.x, b.x);
  let t = twoSum(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSub(a.x, b.x);
  let t = twoSub(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var prod = twoProd(a.x, b.x);
  let crossProduct1 = prevent_fp64_optimization(a.x * b.y);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct1);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  let crossProduct2 = prevent_fp64_optimization(a.y * b.x);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct2);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let xn = prevent_fp64_optimization(1.0 / b.x);
  let yn = mul_fp64(a, vec2f(xn, fp64_runtime_zero()));
  let diff = prevent_fp64_optimization(sub_fp64(a, mul_fp64(b, yn)).x);
  let prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  if (a.x == 0.0 && a.y == 0.0) {
    return vec2f(0.0, 0.0);
  }
  if (a.x < 0.0) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  let x = prevent_fp64_optimization(1.0 / sqrt(a.x));
  let yn = prevent_fp64_optimization(a.x * x);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let ynSqr = twoSqr(yn) * fp64arithmetic.ONE;
#else
  let ynSqr = twoSqr(yn);
#endif
  let diff = prevent_fp64_optimization(sub_fp64(a, ynSqr).x);
  let prod = twoProd(prevent_fp64_optimization(x * 0.5), diff);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2f(yn, 0.0), prod);
#endif
}
#endif
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_bits_is_nan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn fp64_f32_bits_is_inf(bits: u32) -> bool {
  return (bits & 0x7fffffffu) == 0x7f800000u;
}

fn fp64_compare_f32_bits(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == 0u && bMagnitude == 0u) {
    return 0;
  }
  let aSign = aBits >> 31u;
  let bSign = bBits >> 31u;
  if (aSign != bSign) {
    return select(1, -1, aSign == 1u);
  }
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  let magnitudeComparison = select(-1, 1, aMagnitude > bMagnitude);
  return select(magnitudeComparison, -magnitudeComparison, aSign == 1u);
}

// Normalize an arbitrary pair of finite f32 limbs with integer accumulation.
// This is independent of LUMA_FP64_INTEGER_ARITHMETIC and canonicalizes every
// representation of zero to vec2f(+0.0, +0.0).
fn normalize_fp64(value: vec2f) -> vec2f {
  let resultBits = fp64_add_raw_f32_bits(bitcast<u32>(value.x), bitcast<u32>(value.y));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn is_nan_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  return fp64_f32_bits_is_nan(bitcast<u32>(normalized.x)) ||
    fp64_f32_bits_is_nan(bitcast<u32>(normalized.y));
}

fn is_finite_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  return !fp64_f32_bits_is_nan(highBits) && !fp64_f32_bits_is_nan(lowBits) &&
    !fp64_f32_bits_is_inf(highBits) && !fp64_f32_bits_is_inf(lowBits);
}

// Returns -1, 0, or 1. NaN is unordered and returns 0; call is_nan_fp64 or
// is_finite_fp64 first when 0 must mean a finite zero.
fn sign_fp64(value: vec2f) -> i32 {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  if (fp64_f32_bits_is_nan(highBits) || fp64_f32_bits_is_nan(lowBits)) {
    return 0;
  }
  if ((highBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (highBits >> 31u) == 1u);
  }
  if ((lowBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (lowBits >> 31u) == 1u);
  }
  return 0;
}

// Compares double-single values and returns -1, 0, or 1. NaN is unordered
// and returns 0; callers that require equality semantics must first check
// is_nan_fp64 or is_finite_fp64.
fn compare_fp64(a: vec2f, b: vec2f) -> i32 {
  let normalizedA = normalize_fp64(a);
  let normalizedB = normalize_fp64(b);
  let aHighBits = bitcast<u32>(normalizedA.x);
  let aLowBits = bitcast<u32>(normalizedA.y);
  let bHighBits = bitcast<u32>(normalizedB.x);
  let bLowBits = bitcast<u32>(normalizedB.y);
  if (fp64_f32_bits_is_nan(aHighBits) || fp64_f32_bits_is_nan(aLowBits) ||
      fp64_f32_bits_is_nan(bHighBits) || fp64_f32_bits_is_nan(bLowBits)) {
    return 0;
  }
  let highComparison = fp64_compare_f32_bits(aHighBits, bHighBits);
  if (highComparison != 0) {
    return highComparison;
  }
  return fp64_compare_f32_bits(aLowBits, bLowBits);
}
#endif
`});var bI,Rh,Mb=x(()=>{wb();Sb();Ab();bI={ONE:1,SPLIT:4097},Rh={name:"fp64arithmetic",source:Cb,fs:Ih,vs:Ih,defaultUniforms:bI,uniformTypes:{ONE:"f32",SPLIT:"f32"},fp64ify:Ch,fp64LowPart:bb,fp64ifyMatrix4:vb}});function Rb(r){return`layout(std140) uniform ${r}Uniforms {
  float useByteColors;
} ${r};

vec3 ${r}_normalize(vec3 inputColor) {
  return ${r}.useByteColors > 0.5 ? inputColor / 255.0 : inputColor;
}

vec4 ${r}_normalize(vec4 inputColor) {
  return ${r}.useByteColors > 0.5 ? inputColor / 255.0 : inputColor;
}

vec4 ${r}_premultiplyAlpha(vec4 inputColor) {
  return vec4(inputColor.rgb * inputColor.a, inputColor.a);
}

vec4 ${r}_unpremultiplyAlpha(vec4 inputColor) {
  return inputColor.a > 0.0 ? vec4(inputColor.rgb / inputColor.a, inputColor.a) : vec4(0.0);
}

vec4 ${r}_premultiply_alpha(vec4 inputColor) {
  return ${r}_premultiplyAlpha(inputColor);
}

vec4 ${r}_unpremultiply_alpha(vec4 inputColor) {
  return ${r}_unpremultiplyAlpha(inputColor);
}
`}function Ob(r){return`struct ${r}Uniforms {
  useByteColors: f32
};

@group(0) @binding(auto) var<uniform> ${r} : ${r}Uniforms;

fn ${r}_normalize(inputColor: vec3<f32>) -> vec3<f32> {
  return select(inputColor, inputColor / 255.0, ${r}.useByteColors > 0.5);
}

fn ${r}_normalize4(inputColor: vec4<f32>) -> vec4<f32> {
  return select(inputColor, inputColor / 255.0, ${r}.useByteColors > 0.5);
}

fn ${r}_premultiplyAlpha(inputColor: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(inputColor.rgb * inputColor.a, inputColor.a);
}

fn ${r}_unpremultiplyAlpha(inputColor: vec4<f32>) -> vec4<f32> {
  return select(
    vec4<f32>(0.0),
    vec4<f32>(inputColor.rgb / inputColor.a, inputColor.a),
    inputColor.a > 0.0
  );
}

fn ${r}_premultiply_alpha(inputColor: vec4<f32>) -> vec4<f32> {
  return ${r}_premultiplyAlpha(inputColor);
}

fn ${r}_unpremultiply_alpha(inputColor: vec4<f32>) -> vec4<f32> {
  return ${r}_unpremultiplyAlpha(inputColor);
}
`}var Yt,vI,wI,eH,tH,PI,EI,rH,iH,Ib,nH,SI,oH,Bb,Db=x(()=>{Yt={RGBA8UNORM:0,RGBA16FLOAT:1,RGBA32FLOAT:2},vI={rgba8unorm:4,rgba16float:8,rgba32float:16},wI={...vI},eH={rgba8unorm:Yt.RGBA8UNORM,rgba16float:Yt.RGBA16FLOAT,rgba32float:Yt.RGBA32FLOAT},tH={[Yt.RGBA8UNORM]:"rgba8unorm",[Yt.RGBA16FLOAT]:"rgba16float",[Yt.RGBA32FLOAT]:"rgba32float"},PI={useByteColors:"f32"},EI={useByteColors:!0},rH={format:Yt.RGBA8UNORM,wordStride:wI.rgba8unorm/Uint32Array.BYTES_PER_ELEMENT,wordOffset:0,_padding:0},iH=Rb("colors"),Ib=Rb("floatColors"),nH=Ob("colors"),SI=Ob("floatColors"),oH=`struct storageColorsUniforms {
  format: u32,
  wordStride: u32,
  wordOffset: u32,
  _padding: u32
};

@group(0) @binding(auto) var<uniform> storageColors : storageColorsUniforms;
@group(0) @binding(auto) var<storage, read> storageColorsBuffer : array<u32>;

const STORAGE_COLOR_FORMAT_RGBA8UNORM : u32 = ${Yt.RGBA8UNORM}u;
const STORAGE_COLOR_FORMAT_RGBA16FLOAT : u32 = ${Yt.RGBA16FLOAT}u;

fn storageColors_getWordIndex(rowIndex: u32) -> u32 {
  return storageColors.wordOffset + rowIndex * storageColors.wordStride;
}

fn storageColors_readRgba8UnormColor(wordIndex: u32) -> vec4<f32> {
  return unpack4x8unorm(storageColorsBuffer[wordIndex]);
}

fn storageColors_readRgba16FloatColor(wordIndex: u32) -> vec4<f32> {
  let redGreen = unpack2x16float(storageColorsBuffer[wordIndex]);
  let blueAlpha = unpack2x16float(storageColorsBuffer[wordIndex + 1u]);
  return vec4<f32>(redGreen.x, redGreen.y, blueAlpha.x, blueAlpha.y);
}

fn storageColors_readRgba32FloatColor(wordIndex: u32) -> vec4<f32> {
  return vec4<f32>(
    bitcast<f32>(storageColorsBuffer[wordIndex]),
    bitcast<f32>(storageColorsBuffer[wordIndex + 1u]),
    bitcast<f32>(storageColorsBuffer[wordIndex + 2u]),
    bitcast<f32>(storageColorsBuffer[wordIndex + 3u])
  );
}

fn storageColors_readColor(rowIndex: u32) -> vec4<f32> {
  let wordIndex = storageColors_getWordIndex(rowIndex);
  if (storageColors.format == STORAGE_COLOR_FORMAT_RGBA8UNORM) {
    return storageColors_readRgba8UnormColor(wordIndex);
  }
  if (storageColors.format == STORAGE_COLOR_FORMAT_RGBA16FLOAT) {
    return storageColors_readRgba16FloatColor(wordIndex);
  }
  return storageColors_readRgba32FloatColor(wordIndex);
}
`;Bb={name:"floatColors",props:{},uniforms:{},vs:Ib,fs:Ib,source:SI,uniformTypes:PI,defaultUniforms:EI}});function AI(r={},e){let t={},i=Ac(r.useByteColors,!0);if(r.highlightedObjectColor!==void 0)if(r.highlightedObjectColor===null)t.isHighlightActive=!1;else{t.isHighlightActive=!0;let n=r.highlightedObjectColor.slice(0,3);t.highlightedObjectColor=n}return r.highlightColor&&(t.highlightColor=Pb(r.highlightColor,i)),r.isActive!==void 0&&(t.isActive=!!r.isActive,t.isAttribute=!!r.isAttribute),r.useByteColors!==void 0&&(t.useByteColors=!!r.useByteColors),t}var TI,LI,CI,pr,kb=x(()=>{Mh();TI=[0,1,1,1],LI=`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

out vec4 picking_vRGBcolor_Avalid;

// Normalize unsigned byte color to 0-1 range
vec3 picking_normalizeColor(vec3 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

// Normalize unsigned byte color to 0-1 range
vec4 picking_normalizeColor(vec4 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

bool picking_isColorZero(vec3 color) {
  return dot(color, vec3(1.0)) < 0.00001;
}

bool picking_isColorValid(vec3 color) {
  return dot(color, vec3(1.0)) > 0.00001;
}

// Check if this vertex is highlighted 
bool isVertexHighlighted(vec3 vertexColor) {
  vec3 highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
  return
    bool(picking.isHighlightActive) && picking_isColorZero(abs(vertexColor - highlightedObjectColor));
}

// Set the current picking color
void picking_setPickingColor(vec3 pickingColor) {
  pickingColor = picking_normalizeColor(pickingColor);

  if (bool(picking.isActive)) {
    // Use alpha as the validity flag. If pickingColor is [0, 0, 0] fragment is non-pickable
    picking_vRGBcolor_Avalid.a = float(picking_isColorValid(pickingColor));

    if (!bool(picking.isAttribute)) {
      // Stores the picking color so that the fragment shader can render it during picking
      picking_vRGBcolor_Avalid.rgb = pickingColor;
    }
  } else {
    // Do the comparison with selected item color in vertex shader as it should mean fewer compares
    picking_vRGBcolor_Avalid.a = float(isVertexHighlighted(pickingColor));
  }
}

void picking_setPickingAttribute(float value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.r = value;
  }
}

void picking_setPickingAttribute(vec2 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rg = value;
  }
}

void picking_setPickingAttribute(vec3 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rgb = value;
  }
}
`,CI=`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

in vec4 picking_vRGBcolor_Avalid;

/*
 * Returns highlight color if this item is selected.
 */
vec4 picking_filterHighlightColor(vec4 color) {
  // If we are still picking, we don't highlight
  if (picking.isActive > 0.5) {
    return color;
  }

  bool selected = bool(picking_vRGBcolor_Avalid.a);

  if (selected) {
    // Blend in highlight color based on its alpha value
    float highLightAlpha = picking.highlightColor.a;
    float blendedAlpha = highLightAlpha + color.a * (1.0 - highLightAlpha);
    float highLightRatio = highLightAlpha / blendedAlpha;

    vec3 blendedRGB = mix(color.rgb, picking.highlightColor.rgb, highLightRatio);
    return vec4(blendedRGB, blendedAlpha);
  } else {
    return color;
  }
}

/*
 * Returns picking color if picking enabled else unmodified argument.
 */
vec4 picking_filterPickingColor(vec4 color) {
  if (bool(picking.isActive)) {
    if (picking_vRGBcolor_Avalid.a == 0.0) {
      discard;
    }
    return picking_vRGBcolor_Avalid;
  }
  return color;
}

/*
 * Returns picking color if picking is enabled if not
 * highlight color if this item is selected, otherwise unmodified argument.
 */
vec4 picking_filterColor(vec4 color) {
  vec4 highlightColor = picking_filterHighlightColor(color);
  return picking_filterPickingColor(highlightColor);
}
`,pr={props:{},uniforms:{},name:"picking",uniformTypes:{isActive:"f32",isAttribute:"f32",isHighlightActive:"f32",useByteColors:"f32",highlightedObjectColor:"vec3<f32>",highlightColor:"vec4<f32>"},defaultUniforms:{isActive:!1,isAttribute:!1,isHighlightActive:!1,useByteColors:!0,highlightedObjectColor:[0,0,0],highlightColor:TI},vs:LI,fs:CI,getUniforms:AI}});var Oh,Nb=x(()=>{Oh=`precision highp int;

// #if (defined(SHADER_TYPE_FRAGMENT) && defined(LIGHTING_FRAGMENT)) || (defined(SHADER_TYPE_VERTEX) && defined(LIGHTING_VERTEX))
struct AmbientLight {
  vec3 color;
};

struct PointLight {
  vec3 color;
  vec3 position;
  vec3 attenuation; // 2nd order x:Constant-y:Linear-z:Exponential
};

struct SpotLight {
  vec3 color;
  vec3 position;
  vec3 direction;
  vec3 attenuation;
  vec2 coneCos;
};

struct DirectionalLight {
  vec3 color;
  vec3 direction;
};

struct UniformLight {
  vec3 color;
  vec3 position;
  vec3 direction;
  vec3 attenuation;
  vec2 coneCos;
};

layout(std140) uniform lightingUniforms {
  int enabled;
  int directionalLightCount;
  int pointLightCount;
  int spotLightCount;
  vec3 ambientColor;
  UniformLight lights[5];
} lighting;

PointLight lighting_getPointLight(int index) {
  UniformLight light = lighting.lights[index];
  return PointLight(light.color, light.position, light.attenuation);
}

SpotLight lighting_getSpotLight(int index) {
  UniformLight light = lighting.lights[lighting.pointLightCount + index];
  return SpotLight(light.color, light.position, light.direction, light.attenuation, light.coneCos);
}

DirectionalLight lighting_getDirectionalLight(int index) {
  UniformLight light =
    lighting.lights[lighting.pointLightCount + lighting.spotLightCount + index];
  return DirectionalLight(light.color, light.direction);
}

float getPointLightAttenuation(PointLight pointLight, float distance) {
  return pointLight.attenuation.x
       + pointLight.attenuation.y * distance
       + pointLight.attenuation.z * distance * distance;
}

float getSpotLightAttenuation(SpotLight spotLight, vec3 positionWorldspace) {
  vec3 light_direction = normalize(positionWorldspace - spotLight.position);
  float coneFactor = smoothstep(
    spotLight.coneCos.y,
    spotLight.coneCos.x,
    dot(normalize(spotLight.direction), light_direction)
  );
  float distanceAttenuation = getPointLightAttenuation(
    PointLight(spotLight.color, spotLight.position, spotLight.attenuation),
    distance(spotLight.position, positionWorldspace)
  );
  return distanceAttenuation / max(coneFactor, 0.0001);
}

// #endif
`});var Fb,zb=x(()=>{Fb=`// #if (defined(SHADER_TYPE_FRAGMENT) && defined(LIGHTING_FRAGMENT)) || (defined(SHADER_TYPE_VERTEX) && defined(LIGHTING_VERTEX))
const MAX_LIGHTS: i32 = 5;

struct AmbientLight {
  color: vec3<f32>,
};

struct PointLight {
  color: vec3<f32>,
  position: vec3<f32>,
  attenuation: vec3<f32>, // 2nd order x:Constant-y:Linear-z:Exponential
};

struct SpotLight {
  color: vec3<f32>,
  position: vec3<f32>,
  direction: vec3<f32>,
  attenuation: vec3<f32>,
  coneCos: vec2<f32>,
};

struct DirectionalLight {
  color: vec3<f32>,
  direction: vec3<f32>,
};

struct UniformLight {
  color: vec3<f32>,
  position: vec3<f32>,
  direction: vec3<f32>,
  attenuation: vec3<f32>,
  coneCos: vec2<f32>,
};

struct lightingUniforms {
  enabled: i32,
  directionalLightCount: i32,
  pointLightCount: i32,
  spotLightCount: i32,
  ambientColor: vec3<f32>,
  lights: array<UniformLight, 5>,
};

@group(2) @binding(auto) var<uniform> lighting : lightingUniforms;

fn lighting_getPointLight(index: i32) -> PointLight {
  let light = lighting.lights[index];
  return PointLight(light.color, light.position, light.attenuation);
}

fn lighting_getSpotLight(index: i32) -> SpotLight {
  let light = lighting.lights[lighting.pointLightCount + index];
  return SpotLight(light.color, light.position, light.direction, light.attenuation, light.coneCos);
}

fn lighting_getDirectionalLight(index: i32) -> DirectionalLight {
  let light = lighting.lights[lighting.pointLightCount + lighting.spotLightCount + index];
  return DirectionalLight(light.color, light.direction);
}

fn getPointLightAttenuation(pointLight: PointLight, distance: f32) -> f32 {
  return pointLight.attenuation.x
       + pointLight.attenuation.y * distance
       + pointLight.attenuation.z * distance * distance;
}

fn getSpotLightAttenuation(spotLight: SpotLight, positionWorldspace: vec3<f32>) -> f32 {
  let lightDirection = normalize(positionWorldspace - spotLight.position);
  let coneFactor = smoothstep(
    spotLight.coneCos.y,
    spotLight.coneCos.x,
    dot(normalize(spotLight.direction), lightDirection)
  );
  let distanceAttenuation = getPointLightAttenuation(
    PointLight(spotLight.color, spotLight.position, spotLight.attenuation),
    distance(spotLight.position, positionWorldspace)
  );
  return distanceAttenuation / max(coneFactor, 0.0001);
}
`});function II(r,e={}){if(r=r&&{...r},!r)return Ic();r.lights&&(r={...r,...OI(r.lights),lights:void 0});let{useByteColors:t,ambientLight:i,pointLights:n,spotLights:o,directionalLights:s}=r||{};if(!(i||n&&n.length>0||o&&o.length>0||s&&s.length>0))return{...Ic(),enabled:0};let c={...Ic(),...RI({useByteColors:t,ambientLight:i,pointLights:n,spotLights:o,directionalLights:s})};return r.enabled!==void 0&&(c.enabled=r.enabled?1:0),c}function RI({useByteColors:r,ambientLight:e,pointLights:t=[],spotLights:i=[],directionalLights:n=[]}){let o=Gb(),s=0,a=0,c=0,l=0;for(let f of t){if(s>=ri)break;o[s]={...o[s],color:Mc(f,r),position:f.position,attenuation:f.attenuation||[1,0,0]},s++,a++}for(let f of i){if(s>=ri)break;o[s]={...o[s],color:Mc(f,r),position:f.position,direction:f.direction,attenuation:f.attenuation||[1,0,0],coneCos:DI(f)},s++,c++}for(let f of n){if(s>=ri)break;o[s]={...o[s],color:Mc(f,r),direction:f.direction},s++,l++}return t.length+i.length+n.length>ri&&E.warn(`MAX_LIGHTS exceeded, truncating to ${ri}`)(),{ambientColor:Mc(e,r),directionalLightCount:l,pointLightCount:a,spotLightCount:c,lights:o}}function OI(r){let e={pointLights:[],spotLights:[],directionalLights:[]};for(let t of r||[])switch(t.type){case"ambient":e.ambientLight=t;break;case"directional":e.directionalLights?.push(t);break;case"point":e.pointLights?.push(t);break;case"spot":e.spotLights?.push(t);break;default:}return e}function Mc(r={},e){let{color:t=[0,0,0],intensity:i=1}=r;return Ah(t,Ac(e,!0)).map(o=>o*i)}function Ic(){return{enabled:1,directionalLightCount:0,pointLightCount:0,spotLightCount:0,ambientColor:[.1,.1,.1],lights:Gb()}}function Gb(){return Array.from({length:ri},()=>BI())}function BI(){return{color:[1,1,1],position:[1,1,2],direction:[1,1,1],attenuation:[1,0,0],coneCos:[1,0]}}function DI(r){let e=r.innerConeAngle??0,t=r.outerConeAngle??Math.PI/4;return[Math.cos(e),Math.cos(t)]}var ri,MI,Ub,Vb=x(()=>{D();Nb();zb();Mh();ri=5,MI={color:"vec3<f32>",position:"vec3<f32>",direction:"vec3<f32>",attenuation:"vec3<f32>",coneCos:"vec2<f32>"},Ub={props:{},uniforms:{},name:"lighting",defines:{},uniformTypes:{enabled:"i32",directionalLightCount:"i32",pointLightCount:"i32",spotLightCount:"i32",ambientColor:"vec3<f32>",lights:[MI,ri]},defaultUniforms:Ic(),bindingLayout:[{name:"lighting",group:2}],firstBindingSlot:0,source:Fb,vs:Oh,fs:Oh,getUniforms:II}});var $b,Wb,jb=x(()=>{$b=`layout(std140) uniform phongMaterialUniforms {
  uniform bool unlit;
  uniform float ambient;
  uniform float diffuse;
  uniform float shininess;
  uniform vec3  specularColor;
} material;
`,Wb=`layout(std140) uniform phongMaterialUniforms {
  uniform bool unlit;
  uniform float ambient;
  uniform float diffuse;
  uniform float shininess;
  uniform vec3  specularColor;
} material;

vec3 lighting_getLightColor(vec3 surfaceColor, vec3 light_direction, vec3 view_direction, vec3 normal_worldspace, vec3 color) {
  vec3 halfway_direction = normalize(light_direction + view_direction);
  float lambertian = dot(light_direction, normal_worldspace);
  float specular = 0.0;
  if (lambertian > 0.0) {
    float specular_angle = max(dot(normal_worldspace, halfway_direction), 0.0);
    specular = pow(specular_angle, material.shininess);
  }
  lambertian = max(lambertian, 0.0);
  return (lambertian * material.diffuse * surfaceColor + specular * floatColors_normalize(material.specularColor)) * color;
}

vec3 lighting_getLightColor(vec3 surfaceColor, vec3 cameraPosition, vec3 position_worldspace, vec3 normal_worldspace) {
  vec3 lightColor = surfaceColor;

  if (material.unlit) {
    return surfaceColor;
  }

  if (lighting.enabled == 0) {
    return lightColor;
  }

  vec3 view_direction = normalize(cameraPosition - position_worldspace);
  lightColor = material.ambient * surfaceColor * lighting.ambientColor;

  for (int i = 0; i < lighting.pointLightCount; i++) {
    PointLight pointLight = lighting_getPointLight(i);
    vec3 light_position_worldspace = pointLight.position;
    vec3 light_direction = normalize(light_position_worldspace - position_worldspace);
    float light_attenuation = getPointLightAttenuation(pointLight, distance(light_position_worldspace, position_worldspace));
    lightColor += lighting_getLightColor(surfaceColor, light_direction, view_direction, normal_worldspace, pointLight.color / light_attenuation);
  }

  for (int i = 0; i < lighting.spotLightCount; i++) {
    SpotLight spotLight = lighting_getSpotLight(i);
    vec3 light_position_worldspace = spotLight.position;
    vec3 light_direction = normalize(light_position_worldspace - position_worldspace);
    float light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
    lightColor += lighting_getLightColor(surfaceColor, light_direction, view_direction, normal_worldspace, spotLight.color / light_attenuation);
  }

  for (int i = 0; i < lighting.directionalLightCount; i++) {
    DirectionalLight directionalLight = lighting_getDirectionalLight(i);
    lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
  }
  
  return lightColor;
}
`});var Hb,Yb=x(()=>{Hb=`struct phongMaterialUniforms {
  unlit: u32,
  ambient: f32,
  diffuse: f32,
  shininess: f32,
  specularColor: vec3<f32>,
};

@group(3) @binding(auto) var<uniform> phongMaterial : phongMaterialUniforms;

fn lighting_getLightColor(surfaceColor: vec3<f32>, light_direction: vec3<f32>, view_direction: vec3<f32>, normal_worldspace: vec3<f32>, color: vec3<f32>) -> vec3<f32> {
  let halfway_direction: vec3<f32> = normalize(light_direction + view_direction);
  var lambertian: f32 = dot(light_direction, normal_worldspace);
  var specular: f32 = 0.0;
  if (lambertian > 0.0) {
    let specular_angle = max(dot(normal_worldspace, halfway_direction), 0.0);
    specular = pow(specular_angle, phongMaterial.shininess);
  }
  lambertian = max(lambertian, 0.0);
  return (
    lambertian * phongMaterial.diffuse * surfaceColor +
    specular * floatColors_normalize(phongMaterial.specularColor)
  ) * color;
}

fn lighting_getLightColor2(surfaceColor: vec3<f32>, cameraPosition: vec3<f32>, position_worldspace: vec3<f32>, normal_worldspace: vec3<f32>) -> vec3<f32> {
  var lightColor: vec3<f32> = surfaceColor;

  if (phongMaterial.unlit != 0u) {
    return surfaceColor;
  }

  if (lighting.enabled == 0) {
    return lightColor;
  }

  let view_direction: vec3<f32> = normalize(cameraPosition - position_worldspace);
  lightColor = phongMaterial.ambient * surfaceColor * lighting.ambientColor;

  for (var i: i32 = 0; i < lighting.pointLightCount; i++) {
    let pointLight: PointLight = lighting_getPointLight(i);
    let light_position_worldspace: vec3<f32> = pointLight.position;
    let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
    let light_attenuation = getPointLightAttenuation(
      pointLight,
      distance(light_position_worldspace, position_worldspace)
    );
    lightColor += lighting_getLightColor(
      surfaceColor,
      light_direction,
      view_direction,
      normal_worldspace,
      pointLight.color / light_attenuation
    );
  }

  for (var i: i32 = 0; i < lighting.spotLightCount; i++) {
    let spotLight: SpotLight = lighting_getSpotLight(i);
    let light_position_worldspace: vec3<f32> = spotLight.position;
    let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
    let light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
    lightColor += lighting_getLightColor(
      surfaceColor,
      light_direction,
      view_direction,
      normal_worldspace,
      spotLight.color / light_attenuation
    );
  }

  for (var i: i32 = 0; i < lighting.directionalLightCount; i++) {
    let directionalLight: DirectionalLight = lighting_getDirectionalLight(i);
    lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
  }  
  
  return lightColor;
}

fn lighting_getSpecularLightColor(cameraPosition: vec3<f32>, position_worldspace: vec3<f32>, normal_worldspace: vec3<f32>) -> vec3<f32>{
  var lightColor = vec3<f32>(0, 0, 0);
  let surfaceColor = vec3<f32>(0, 0, 0);

  if (lighting.enabled != 0) {
    let view_direction = normalize(cameraPosition - position_worldspace);

    for (var i: i32 = 0; i < lighting.pointLightCount; i++) {
      let pointLight: PointLight = lighting_getPointLight(i);
      let light_position_worldspace: vec3<f32> = pointLight.position;
      let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
      let light_attenuation = getPointLightAttenuation(
        pointLight,
        distance(light_position_worldspace, position_worldspace)
      );
      lightColor += lighting_getLightColor(
        surfaceColor,
        light_direction,
        view_direction,
        normal_worldspace,
        pointLight.color / light_attenuation
      );
    }

    for (var i: i32 = 0; i < lighting.spotLightCount; i++) {
      let spotLight: SpotLight = lighting_getSpotLight(i);
      let light_position_worldspace: vec3<f32> = spotLight.position;
      let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
      let light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
      lightColor += lighting_getLightColor(
        surfaceColor,
        light_direction,
        view_direction,
        normal_worldspace,
        spotLight.color / light_attenuation
      );
    }

    for (var i: i32 = 0; i < lighting.directionalLightCount; i++) {
        let directionalLight: DirectionalLight = lighting_getDirectionalLight(i);
        lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
    }
  }
  return lightColor;
}
`});var kI,Wi,qb=x(()=>{Db();Vb();jb();Yb();kI=[38.25,38.25,38.25],Wi={props:{},name:"gouraudMaterial",bindingLayout:[{name:"gouraudMaterial",group:3}],vs:Wb.replace("phongMaterial","gouraudMaterial"),fs:$b.replace("phongMaterial","gouraudMaterial"),source:Hb.replaceAll("phongMaterial","gouraudMaterial"),defines:{LIGHTING_VERTEX:!0},dependencies:[Ub,Bb],uniformTypes:{unlit:"i32",ambient:"f32",diffuse:"f32",shininess:"f32",specularColor:"vec3<f32>"},defaultUniforms:{unlit:!1,ambient:.35,diffuse:.6,shininess:32,specularColor:kI},getUniforms(r){return{...Wi.defaultUniforms,...r}}}});var Be=x(()=>{Hu();Gy();Id();vx();Px();Eb();Mb();kb();qb()});function Mt(r="id"){rp[r]=rp[r]||1;let e=rp[r]++;return`${r}-${e}`}var rp,sn=x(()=>{rp={}});function li(r){switch(r){case"POSITION":return"positions";case"NORMAL":return"normals";case"TEXCOORD_0":return"texCoords";case"TEXCOORD_1":return"texCoords1";case"COLOR_0":return"colors";default:return r}}function RO(r){let e=[];for(let[t,i]of Object.entries(r)){if(!i)continue;let{value:n,size:o,normalized:s}=i;if(o===void 0)throw new Error(`Attribute ${t} is missing a size`);e.push({name:li(t),format:K.getVertexFormatFromAttribute(n,o,s)})}return e}var pe,el=x(()=>{D();sn();pe=class{id;topology;vertexCount;indices;attributes;bufferLayout;userData={};constructor(e){let{attributes:t={},indices:i=null,vertexCount:n=null}=e;this.id=e.id||Mt("geometry"),this.topology=e.topology,i&&(this.indices=ArrayBuffer.isView(i)?{value:i,size:1}:i),this.attributes={};for(let[o,s]of Object.entries(t)){let a=ArrayBuffer.isView(s)?{value:s}:s;if(!ArrayBuffer.isView(a.value))throw new Error(`${this._print(o)}: must be typed array or object with value as typed array`);if((o==="POSITION"||o==="positions")&&!a.size&&(a.size=3),o==="indices"){if(this.indices)throw new Error("Multiple indices detected");this.indices=a}else{let c=li(o),l=Object.keys(this.attributes).find(f=>li(f)===c);l&&delete this.attributes[l],this.attributes[o]=a}}this.indices&&this.indices.isIndexed!==void 0&&(this.indices=Object.assign({},this.indices),delete this.indices.isIndexed),this.vertexCount=n||this._calculateVertexCount(this.attributes,this.indices),this.bufferLayout=e.bufferLayout||RO(this.attributes)}getVertexCount(){return this.vertexCount}getAttributes(){return this.indices?{indices:this.indices,...this.attributes}:this.attributes}_print(e){return`Geometry ${this.id} attribute ${e}`}_setAttributes(e,t){return this}_calculateVertexCount(e,t){if(t)return t.value.length;let i=1/0;for(let n of Object.values(e)){if(!n)continue;let{value:o,size:s,constant:a}=n;!a&&o&&s!==void 0&&s>=1&&(i=Math.min(i,o.length/s))}return i}}});function $0(r,e={}){let t=e.bufferName||"geometry";if(OO(r,t))return r;let i=e.minAttributeAlignment||4,n=BO(r,e.attributes),o=[],s=0,a=1/0;for(let[f,u]of n){if(!u)continue;if(u.constant)throw new Error(`Attribute ${f} is constant`);let{value:d,size:h,normalized:p}=u;if(!ArrayBuffer.isView(d))throw new Error(`Attribute ${f} is missing typed array data`);if(h===void 0)throw new Error(`Attribute ${f} is missing a size`);let g=K.getVertexFormatFromAttribute(d,h,p),m=K.getVertexFormatInfo(g);s=V0(s,i),o.push({sourceName:f,attributeName:li(f),value:d,size:h,format:g,byteOffset:s,byteLength:m.byteLength}),s+=m.byteLength;let y=d.length/h;if(!Number.isInteger(y))throw new Error(`Attribute ${f} length is not divisible by size`);a=Math.min(a,y)}if(o.length===0||!Number.isFinite(a))throw new Error(`Geometry ${r.id} has no interleavable attributes`);let c=V0(s,i),l=new ArrayBuffer(a*c);for(let f of o)DO(l,a,c,f);return new pe({id:r.id,topology:r.topology||"triangle-list",vertexCount:r.vertexCount,indices:r.indices,attributes:{[t]:{value:new Uint8Array(l),size:c,byteStride:c}},bufferLayout:[{name:t,stepMode:"vertex",byteStride:c,attributes:o.map(f=>({attribute:f.attributeName,format:f.format,byteOffset:f.byteOffset}))}]})}function OO(r,e){if(r.bufferLayout.length!==1)return!1;let t=r.bufferLayout[0];return t.name===e&&!!t.attributes?.length&&!!r.attributes[e]}function BO(r,e){return e?e.map(t=>[t,r.attributes[t]]):Object.entries(r.attributes)}function DO(r,e,t,i){let n=i.value.constructor,o=n.BYTES_PER_ELEMENT;if(i.byteOffset%o!==0||t%o!==0)throw new Error(`Attribute ${i.sourceName} is not aligned to its component type`);let s=new n(r),a=i.value,c=i.byteOffset/o,l=t/o;for(let f=0;f<e;f++){let u=f*i.size,d=f*l+c;for(let h=0;h<i.size;h++)s[d+h]=a[u+h]}}function V0(r,e){return Math.ceil(r/e)*e}var W0=x(()=>{D();el()});var kO,NO,fi,j0=x(()=>{kO=1,NO=1,fi=class{time=0;channels=new Map;animations=new Map;playing=!1;lastEngineTime=-1;constructor(){}addChannel(e){let{delay:t=0,duration:i=Number.POSITIVE_INFINITY,rate:n=1,repeat:o=1}=e,s=kO++,a={time:0,delay:t,duration:i,rate:n,repeat:o};return this._setChannelTime(a,this.time),this.channels.set(s,a),s}removeChannel(e){this.channels.delete(e);for(let[t,i]of this.animations)i.channel===e&&this.detachAnimation(t)}isFinished(e){let t=this.channels.get(e);return t===void 0?!1:this.time>=t.delay+t.duration*t.repeat}getTime(e){if(e===void 0)return this.time;let t=this.channels.get(e);return t===void 0?-1:t.time}setTime(e){this.time=Math.max(0,e);let t=this.channels.values();for(let n of t)this._setChannelTime(n,this.time);let i=this.animations.values();for(let n of i){let{animation:o,channel:s}=n;o.setTime(this.getTime(s))}}play(){this.playing=!0}pause(){this.playing=!1,this.lastEngineTime=-1}reset(){this.setTime(0)}attachAnimation(e,t){let i=NO++;return this.animations.set(i,{animation:e,channel:t}),e.setTime(this.getTime(t)),i}detachAnimation(e){this.animations.delete(e)}update(e){this.playing&&(this.lastEngineTime===-1&&(this.lastEngineTime=e),this.setTime(this.time+(e-this.lastEngineTime)),this.lastEngineTime=e)}_setChannelTime(e,t){let i=t-e.delay,n=e.duration*e.repeat;i>=n?e.time=e.duration*e.rate:(e.time=Math.max(0,i)%e.duration,e.time*=e.rate)}}});function H0(r){let e=typeof window<"u"?window.requestAnimationFrame||window.webkitRequestAnimationFrame||window.mozRequestAnimationFrame:null;return e?e.call(window,r):setTimeout(()=>r(typeof performance<"u"?performance.now():Date.now()),1e3/60)}function Y0(r){let e=typeof window<"u"?window.cancelAnimationFrame||window.webkitCancelAnimationFrame||window.mozCancelAnimationFrame:null;if(e){e.call(window,r);return}clearTimeout(r)}var q0=x(()=>{});var FO,zO,Z0,Yo,X0=x(()=>{D();q0();Un();FO=0,zO="Animation Loop",Z0={requestAnimationFrame:r=>H0(r),cancelAnimationFrame:r=>Y0(r)},Yo=class r{static defaultAnimationLoopProps={device:null,onAddHTML:()=>"",onInitialize:async()=>null,onRender:()=>{},onFinalize:()=>{},onError:e=>{console.error(e)},stats:void 0,autoResizeViewport:!1,animationFrameProvider:Z0};device=null;canvas=null;props;animationProps=null;timeline=null;stats;sharedStats;cpuTime;gpuTime;frameRate;display;_needsRedraw="initialized";_initialized=!1;_running=!1;_animationFrameId=null;_nextFramePromise=null;_resolveNextFrame=null;_cpuStartTime=0;_error=null;_lastFrameTime=0;constructor(e){if(this.props={...r.defaultAnimationLoopProps,...e},e=this.props,!e.device)throw new Error("No device provided");this.stats=e.stats||new Ze({id:`animation-loop-${FO++}`}),this.sharedStats=Oi.stats.get(zO),this.frameRate=this.stats.get("Frame Rate"),this.frameRate.setSampleSize(1),this.cpuTime=this.stats.get("CPU Time"),this.gpuTime=this.stats.get("GPU Time"),this.setProps({autoResizeViewport:e.autoResizeViewport,animationFrameProvider:e.animationFrameProvider}),this.start=this.start.bind(this),this.stop=this.stop.bind(this),this._onMousemove=this._onMousemove.bind(this),this._onMouseleave=this._onMouseleave.bind(this)}destroy(){this.stop(),this._setDisplay(null),this.device?._disableDebugGPUTime()}delete(){this.destroy()}reportError(e){this._error=e,this.props.onError(e),this.props.onError===r.defaultAnimationLoopProps.onError&&typeof window<"u"&&typeof ErrorEvent<"u"&&window.dispatchEvent(new ErrorEvent("error",{error:e,message:e.message}))}setNeedsRedraw(e){return this._needsRedraw=this._needsRedraw||e,this}needsRedraw(){let e=this._needsRedraw;return this._needsRedraw=!1,e}setProps(e){if("autoResizeViewport"in e&&(this.props.autoResizeViewport=e.autoResizeViewport||!1),"animationFrameProvider"in e){let t=e.animationFrameProvider||Z0;if(t!==this.props.animationFrameProvider){let i=this._animationFrameId!==null;i&&this._cancelAnimationFrame(),this.props.animationFrameProvider=t,i&&this._requestAnimationFrame()}}return this}async start(){if(this._running)return this;this._running=!0;try{let e;if(!this._initialized){if(this._initialized=!0,await this._initDevice(),this._initialize(),!this._running)return null;await this.props.onInitialize(this._getAnimationProps())}return this._running?(e!==!1&&(this._cancelAnimationFrame(),this._requestAnimationFrame()),this):null}catch(e){let t=e instanceof Error?e:new Error("Unknown error");throw this.props.onError(t),t}}stop(){if(this._running){let e=this.animationProps;this._cancelAnimationFrame(),this._nextFramePromise=null,this._resolveNextFrame=null,this._running=!1,this._lastFrameTime=0,e&&this.props.onFinalize(e)}return this}redraw(e,t=null){return this.device?.isLost||this._error?this:(this._beginFrameTimers(e),this._setupFrame(),this.animationProps&&(this.animationProps.animationFrame=t),this._updateAnimationProps(),this._renderFrame(this._getAnimationProps()),this._clearNeedsRedraw(),this._resolveNextFrame&&(this._resolveNextFrame(this),this._nextFramePromise=null,this._resolveNextFrame=null),this._endFrameTimers(),this)}attachTimeline(e){return this.timeline=e,this.timeline}detachTimeline(){this.timeline=null}waitForRender(){return this.setNeedsRedraw("waitForRender"),this._nextFramePromise||(this._nextFramePromise=new Promise(e=>{this._resolveNextFrame=e})),this._nextFramePromise}async toDataURL(){if(this.setNeedsRedraw("toDataURL"),await this.waitForRender(),this.canvas instanceof HTMLCanvasElement)return this.canvas.toDataURL();throw new Error("OffscreenCanvas")}_initialize(){this._startEventHandling(),this._initializeAnimationProps(),this._updateAnimationProps(),this._resizeViewport(),this.device?._enableDebugGPUTime()}_setDisplay(e){this.display&&(this.display.destroy(),this.display.animationLoop=null),e&&(e.animationLoop=this),this.display=e}_requestAnimationFrame(){this._running&&(this._animationFrameId=this.props.animationFrameProvider.requestAnimationFrame(this._animationFrame.bind(this)))}_cancelAnimationFrame(){this._animationFrameId!==null&&(this.props.animationFrameProvider.cancelAnimationFrame(this._animationFrameId),this._animationFrameId=null)}_animationFrame(e,t){if(this._running)try{this.redraw(e,t??null),this._requestAnimationFrame()}catch(i){let n=i instanceof Error?i:new Error(String(i));this.reportError(n),this.stop()}}_renderFrame(e){if(this.display){this.display._renderFrame(e);return}let t=this.props.onRender(this._getAnimationProps());this.device&&t!==!1&&this.device.submit()}_clearNeedsRedraw(){this._needsRedraw=!1}_setupFrame(){this._resizeViewport()}_initializeAnimationProps(){let e=this.device?.getDefaultCanvasContext();if(!this.device||!e)throw new Error("loop");let t=e?.canvas,i=e.props.useDevicePixels;this.animationProps={animationLoop:this,device:this.device,canvasContext:e,canvas:t,useDevicePixels:i,timeline:this.timeline,needsRedraw:!1,width:1,height:1,aspect:1,time:0,startTime:Date.now(),engineTime:0,tick:0,tock:0,animationFrame:null,_mousePosition:null}}_getAnimationProps(){if(!this.animationProps)throw new Error("animationProps");return this.animationProps}_updateAnimationProps(){if(!this.animationProps)return;let{width:e,height:t,aspect:i}=this._getSizeAndAspect();(e!==this.animationProps.width||t!==this.animationProps.height)&&this.setNeedsRedraw("drawing buffer resized"),i!==this.animationProps.aspect&&this.setNeedsRedraw("drawing buffer aspect changed"),this.animationProps.width=e,this.animationProps.height=t,this.animationProps.aspect=i,this.animationProps.needsRedraw=this._needsRedraw,this.animationProps.engineTime=Date.now()-this.animationProps.startTime,this.timeline&&this.timeline.update(this.animationProps.engineTime),this.animationProps.tick=Math.floor(this.animationProps.time/1e3*60),this.animationProps.tock++,this.animationProps.time=this.timeline?this.timeline.getTime():this.animationProps.engineTime}async _initDevice(){if(this.device=await this.props.device,!this.device)throw new Error("No device provided");this.canvas=this.device.getDefaultCanvasContext().canvas||null}_createInfoDiv(){if(this.canvas&&this.props.onAddHTML){let e=document.createElement("div");document.body.appendChild(e),e.style.position="relative";let t=document.createElement("div");t.style.position="absolute",t.style.left="10px",t.style.bottom="10px",t.style.width="300px",t.style.background="white",this.canvas instanceof HTMLCanvasElement&&e.appendChild(this.canvas),e.appendChild(t);let i=this.props.onAddHTML(t);i&&(t.innerHTML=i)}}_getSizeAndAspect(){if(!this.device)return{width:1,height:1,aspect:1};let[e,t]=this.device.getDefaultCanvasContext().getDrawingBufferSize(),i=e>0&&t>0?e/t:1;return{width:e,height:t,aspect:i}}_resizeViewport(){this.props.autoResizeViewport&&this.device.gl&&this.device.gl.viewport(0,0,this.device.gl.drawingBufferWidth,this.device.gl.drawingBufferHeight)}_beginFrameTimers(e){let t=e??(typeof performance<"u"?performance.now():Date.now());if(this._lastFrameTime){let i=t-this._lastFrameTime;i>0&&this.frameRate.addTime(i)}this._lastFrameTime=t,this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeStart()}_endFrameTimers(){this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeEnd(),this._updateSharedStats()}_consumeEncodedGpuTime(){if(!this.device)return;let e=this.device.commandEncoder._gpuTimeMs;e!==void 0&&(this.gpuTime.addTime(e),this.device.commandEncoder._gpuTimeMs=void 0)}_updateSharedStats(){if(this.stats!==this.sharedStats){for(let e of Object.keys(this.sharedStats.stats))this.stats.stats[e]||delete this.sharedStats.stats[e];this.stats.forEach(e=>{let t=this.sharedStats.get(e.name,e.type);t.sampleSize=e.sampleSize,t.time=e.time,t.count=e.count,t.samples=e.samples,t.lastTiming=e.lastTiming,t.lastSampleTime=e.lastSampleTime,t.lastSampleCount=e.lastSampleCount,t._count=e._count,t._time=e._time,t._samples=e._samples,t._startTime=e._startTime,t._timerPending=e._timerPending})}}_startEventHandling(){this.canvas&&(this.canvas.addEventListener("mousemove",this._onMousemove.bind(this)),this.canvas.addEventListener("mouseleave",this._onMouseleave.bind(this)))}_onMousemove(e){e instanceof MouseEvent&&(this._getAnimationProps()._mousePosition=[e.offsetX,e.offsetY])}_onMouseleave(e){this._getAnimationProps()._mousePosition=null}}});function K0(r,e){if(e instanceof tl)return e;let t=$0(e),i=UO(r,t),{attributes:n,bufferLayout:o}=GO(r,t);return new tl({topology:t.topology||"triangle-list",bufferLayout:o,vertexCount:t.vertexCount,indices:i,attributes:n})}function UO(r,e){if(!e.indices)return;let t=e.indices.value;return r.createBuffer({usage:F.INDEX,data:t})}function GO(r,e){let t={};for(let[i,n]of Object.entries(e.attributes)){let o=e.bufferLayout.find(s=>s.name===i)?.name||li(i);n&&(t[o]=r.createBuffer({data:n.value,id:`${i}-buffer`}))}return{attributes:t,bufferLayout:e.bufferLayout,vertexCount:e.vertexCount}}var tl,Q0=x(()=>{D();el();W0();sn();tl=class{id;userData={};topology;bufferLayout=[];vertexCount;indices;attributes;constructor(e){if(this.id=e.id||Mt("geometry"),this.topology=e.topology,this.indices=e.indices||null,this.attributes=e.attributes,this.vertexCount=e.vertexCount,this.bufferLayout=e.bufferLayout||[],this.indices&&!(this.indices.usage&F.INDEX))throw new Error("Index buffer must have INDEX usage")}destroy(){this.indices?.destroy();for(let e of Object.values(this.attributes))e.destroy()}getVertexCount(){return this.vertexCount}getAttributes(){return this.attributes}getIndexes(){return this.indices||null}_calculateVertexCount(e){return e.byteLength/12}}});function J0(r,e){let t={},i="Values";if(r.attributes.length===0&&!r.varyings?.length)return{"No attributes or varyings":{[i]:"N/A"}};for(let n of r.attributes)if(n){let o=`${n.location} ${n.name}: ${n.type}`;t[`in ${o}`]={[i]:n.stepMode||"vertex"}}for(let n of r.varyings||[]){let o=`${n.location} ${n.name}`;t[`out ${o}`]={[i]:JSON.stringify(n)}}return t}var ev=x(()=>{});function iv(r,e,t){if(r.device.type!=="webgl")return;let i=WO(r.device);if(!i.flushing){if(HO(r)){VO(r,t,i);return}e&&jO(e)&&e.handle!==null&&(i.queuedFramebuffers.includes(e)||i.queuedFramebuffers.push(e))}}function VO(r,e,t){if(t.queuedFramebuffers.length===0)return;let i=r.device,{gl:n}=i,o=n.getParameter(36010),s=n.getParameter(36006),[a,c]=r.device.getDefaultCanvasContext().getDrawingBufferSize(),l=rv(e.top,8),f=rv(e.left,8);t.flushing=!0;try{for(let u of t.queuedFramebuffers){let[d,h,p,g,m]=$O({framebuffer:u,targetWidth:a,targetHeight:c,topPx:l,leftPx:f,minimap:e.minimap});n.bindFramebuffer(36008,u.handle),n.bindFramebuffer(36009,null),n.blitFramebuffer(0,0,u.width,u.height,d,h,p,g,16384,9728),l+=m+8}}finally{n.bindFramebuffer(36008,o),n.bindFramebuffer(36009,s),t.flushing=!1}}function $O(r){let{framebuffer:e,targetWidth:t,targetHeight:i,topPx:n,leftPx:o,minimap:s}=r,a=s?Math.max(Math.floor(t/4),1):t,c=s?Math.max(Math.floor(i/4),1):i,l=Math.min(a/e.width,c/e.height),f=Math.max(Math.floor(e.width*l),1),u=Math.max(Math.floor(e.height*l),1),d=o,h=Math.max(i-n-u,0),p=d+f,g=h+u;return[d,h,p,g,u]}function WO(r){return r.userData[tv]||={flushing:!1,queuedFramebuffers:[]},r.userData[tv]}function jO(r){return"colorAttachments"in r}function HO(r){let e=r.props.framebuffer;return!e||e.handle===null}function rv(r,e){if(!r)return e;let t=Number.parseInt(r,10);return Number.isFinite(t)?t:e}var tv,nv=x(()=>{tv="__debugFramebufferState"});function an(r,e,t){if(r===e)return!0;if(!t||!r||!e)return!1;if(Array.isArray(r)){if(!Array.isArray(e)||r.length!==e.length)return!1;for(let i=0;i<r.length;i++)if(!an(r[i],e[i],t-1))return!1;return!0}if(Array.isArray(e))return!1;if(typeof r=="object"&&typeof e=="object"){let i=Object.keys(r),n=Object.keys(e);if(i.length!==n.length)return!1;for(let o of i)if(!e.hasOwnProperty(o)||!an(r[o],e[o],t-1))return!1;return!0}return!1}var ov=x(()=>{});var cn,sv=x(()=>{D();cn=class{bufferLayouts;constructor(e){this.bufferLayouts=e}getBufferLayout(e){return this.bufferLayouts.find(t=>t.name===e)||null}getAttributeNamesForBuffer(e){return Fi(e)}mergeBufferLayouts(e,t){let i=[...e];for(let n of t){let o=i.findIndex(s=>s.name===n.name);o<0?i.push(n):i[o]=n}return i}}});function av(r,e){let t=Td(r),i=e.slice();return i.sort((n,o)=>{let s=uc(Fi(n).map(c=>t[c])),a=uc(Fi(o).map(c=>t[c]));return s-a}),i}var cv=x(()=>{D()});function ln(r,e){if(!r||!e.some(i=>i.bindingLayout?.length))return r;let t={...r,bindings:r.bindings.map(i=>({...i}))};"attributes"in(r||{})&&(t.attributes=r?.attributes||[]);for(let i of e)for(let n of i.bindingLayout||[])for(let o of YO(n.name)){let s=t.bindings.find(a=>a.name===o);s?.group===0&&(s.group=n.group),s&&n.visibility!==void 0&&(s.visibility=n.visibility)}return t}function lv(r,e,t=[]){return r?e?{...r,attributes:r.attributes.length?XO(r.attributes,e.attributes.filter(i=>t.includes(i.name))):e.attributes,bindings:ZO(r.bindings,e.bindings)}:r:e}function qo(r){return!!(r.uniformTypes&&!qO(r.uniformTypes))}function fv(r){let e=[];for(let t of r){let i=vo(t),n=new Set([t.vs,t.fs].flatMap(s=>s?wo(s).filter(a=>a.isStd140).map(a=>a.blockName):[])),o=n.has(i)?i:n.size===1?n.values().next().value:void 0;qo(t)&&o&&e.push({name:o,uniformTypes:t.uniformTypes})}return e}function rl(r,e){let t=[],i=new Set;for(let n of[...r||[],...e||[]])i.has(n.name)||(i.add(n.name),t.push(n));return t}function YO(r){let e=new Set([r,`${r}Uniforms`]);return r.endsWith("Uniforms")||e.add(`${r}Sampler`),[...e]}function qO(r){for(let e in r)return!1;return!0}function ZO(r,e){let t=r.map(o=>({...o})),i=new Set(r.map(o=>o.name)),n=new Set(r.map(o=>`${o.group}:${o.location}`));for(let o of e){let s=`${o.group}:${o.location}`;!i.has(o.name)&&!n.has(s)&&t.push({...o})}return t}function XO(r,e){let t=r.map(o=>({...o})),i=new Map(r.map(o=>[o.name,o])),n=new Map(r.map(o=>[o.location,o]));for(let o of e){let s=i.get(o.name);if(s){if(s.type!==o.type||s.location!==o.location)throw new Error(`Shader attribute "${o.name}" conflicts with its inferred type or location`);continue}let a=n.get(o.location);if(a)throw new Error(`Shader attributes "${a.name}" and "${o.name}" both use location ${o.location}`);t.push({...o})}return t}var ip=x(()=>{Be()});function KO(r){return Yn(r)||typeof r=="number"||typeof r=="boolean"}function uv(r,e={}){let t={bindings:{},uniforms:{}};return Object.keys(r).forEach(i=>{let n=r[i];Object.prototype.hasOwnProperty.call(e,i)||KO(n)?t.uniforms[i]=n:t.bindings[i]=n}),t}var dv=x(()=>{Cu()});function hv(r={},e={},t={}){let i={...r};for(let[n,o]of Object.entries(e))o!==void 0&&(i[n]=np(r[n],o,t[n]));return i}function np(r,e,t){if(!t||typeof t=="string")return Zo(e);if(Array.isArray(t)){if(op(e)||!Array.isArray(e))return Zo(e);let s=Array.isArray(r)&&!op(r)?[...r]:[],a=s.slice();for(let c=0;c<e.length;c++){let l=e[c];l!==void 0&&(a[c]=np(s[c],l,t[0]))}return a}if(!sp(e))return Zo(e);let i=t,n=sp(r)?r:{},o={...n};for(let[s,a]of Object.entries(e))a!==void 0&&(o[s]=np(n[s],a,i[s]));return o}function Zo(r){return ArrayBuffer.isView(r)?Array.prototype.slice.call(r):Array.isArray(r)?op(r)?r.slice():r.map(t=>t===void 0?void 0:Zo(t)):sp(r)?Object.fromEntries(Object.entries(r).map(([e,t])=>[e,t===void 0?void 0:Zo(t)])):r}function op(r){return ArrayBuffer.isView(r)||Array.isArray(r)&&(r.length===0||typeof r[0]=="number")}function sp(r){return!!r&&typeof r=="object"&&!Array.isArray(r)&&!ArrayBuffer.isView(r)}function QO(r){return!!r?.dependencies}var fn,ap=x(()=>{D();Be();dv();fn=class{options={disableWarnings:!1};modules;moduleUniforms;moduleBindings;directBindings={};constructor(e,t){Object.assign(this.options,t);let i=Nr(Object.values(e).filter(QO));for(let n of i)e[n.name]=n;E.log(1,"Creating ShaderInputs with modules",Object.keys(e))(),this.modules=e,this.moduleUniforms={},this.moduleBindings={};for(let[n,o]of Object.entries(e))o&&(this._addModule(o),o.name&&n!==o.name&&!this.options.disableWarnings&&E.warn(`Module name: ${n} vs ${o.name}`)())}destroy(){}setProps(e){e.bindings&&Object.assign(this.directBindings,e.bindings);for(let t of Object.keys(e)){if(t==="bindings")continue;let i=t,n=e[i]||{},o=this.modules[i];if(!o)this.options.disableWarnings||E.warn(`Module ${t} not found`)();else{let s=this.moduleUniforms[i],a=this.moduleBindings[i],c=o.getUniforms?.(n,s)||n,{uniforms:l,bindings:f}=uv(c,o.uniformTypes);this.moduleUniforms[i]=hv(s,l,o.uniformTypes),this.moduleBindings[i]={...a,...f}}}}getModules(){return Object.values(this.modules)}addModules(e){let t=Nr(e);for(let i of t){let n=i.name;this.modules[n]||(this.modules[n]=i,this._addModule(i))}}getUniformValues(){return this.moduleUniforms}getBindingValues(){let e={};for(let t of Object.values(this.moduleBindings))Object.assign(e,t);return Object.assign(e,this.directBindings),e}getModuleBindingValues(e){let t=this.moduleBindings[e];return t?{...t}:{}}getDebugTable(){let e={};for(let[t,i]of Object.entries(this.moduleUniforms))for(let[n,o]of Object.entries(i))e[`${t}.${n}`]={type:this.modules[t].uniformTypes?.[n],value:String(o)};return e}_addModule(e){let t=e.name;this.moduleUniforms[t]=hv({},e.defaultUniforms||{},e.uniformTypes),this.moduleBindings[t]={}}}});function cp(r){return r!==null&&typeof r=="object"&&"buffer"in r}function eB(r){return r instanceof ve?r.buffer:r}function pv(r){return{buffer:eB(r.buffer),offset:r.offset,size:r.size}}var JO,ve,lp=x(()=>{D();sn();JO=F.DEBUG_DATA_MAX_LENGTH,ve=class{device;id;ready;usage;props;isReady=!0;destroyed=!1;generation=0;updateTimestamp;debugData=new ArrayBuffer(0);_debugDataEnabled;_maxDebugDataByteLength;_ownsBuffer;_buffer;get buffer(){return this._buffer}get byteLength(){return this._buffer.byteLength}get[Symbol.toStringTag](){return"DynamicBuffer"}toString(){return`DynamicBuffer:"${this.id}":${this.byteLength}B`}toJSON(){return this.toString()}constructor(e,t){let{debugData:i=!1,buffer:n,ownsBuffer:o=!0,...s}=t;if(n&&n.device!==e)throw new Error("DynamicBuffer adopted buffers must belong to the supplied device");if(n&&(s.byteLength!==void 0||s.data!==void 0))throw new Error("DynamicBuffer cannot combine an adopted buffer with byteLength or data");let a=t.id||n?.id||Mt("dynamic-buffer"),c={...s,id:a,usage:s.usage??n?.usage,indexType:s.indexType??n?.indexType};(c.usage||0)&F.INDEX&&!c.indexType&&(s.data instanceof Uint32Array?c.indexType="uint32":s.data instanceof Uint16Array?c.indexType="uint16":s.data instanceof Uint8Array&&(c.indexType="uint8")),delete c.data,delete c.byteOffset,this.device=e,this.id=a,this.props=c,this.usage=c.usage||0,this._debugDataEnabled=!!i,this._maxDebugDataByteLength=typeof i=="object"&&i.maxByteLength!==void 0?i.maxByteLength:JO,this._ownsBuffer=o,this._buffer=n??this.device.createBuffer({...s,id:a}),this.ready=Promise.resolve(this._buffer),this.updateTimestamp=this._buffer.updateTimestamp,this._resetDebugData(this._buffer.byteLength),s.data&&this._writeDebugData(s.data,s.byteOffset||0)}write(e,t=0){this._buffer.write(e,t),this._touch(),this._writeDebugData(e,t)}async mapAndWriteAsync(e,t=0,i=this.byteLength-t){let n=null;await this._buffer.mapAndWriteAsync(async(o,s)=>{await e(o,s),n=new Uint8Array(o.slice(0,i))},t,i),this._touch(),n&&this._writeDebugData(n,t)}async readAsync(e=0,t=this.byteLength-e){let i=await this._buffer.readAsync(e,t);return this._writeDebugData(i,e)&&this._touch(),i}async mapAndReadAsync(e,t=0,i=this.byteLength-t){let n=null,o=await this._buffer.mapAndReadAsync(async(s,a)=>(n=new Uint8Array(s.slice(0)),await e(s,a)),t,i);return n&&this._writeDebugData(n,t)&&this._touch(),o}resize(e){let{byteLength:t,preserveData:i=!1}=e;if(t===this.byteLength)return!1;let n=Math.min(e.copyByteLength??Math.min(this.byteLength,t),this.byteLength,t),o=this._buffer,s=this.debugData.slice(0),{data:a,byteOffset:c,...l}=this.props,f=this.device.createBuffer({...l,byteLength:t});return i&&n>0&&this._copyBufferContents(o,f,n),this._buffer=f,this._resetDebugData(t),i&&s.byteLength>0&&this._writeDebugData(s,0),this._ownsBuffer&&o.destroy(),this._ownsBuffer=!0,this.generation++,this._touch(),!0}ensureSize(e,t){return e<=this.byteLength?!1:this.resize({byteLength:e,preserveData:t?.preserveData})}getBinding(e){return e?.offset===void 0&&e?.size===void 0?this._buffer:{buffer:this._buffer,offset:e?.offset,size:e?.size}}destroy(){this.destroyed||(this._ownsBuffer&&this._buffer.destroy(),this.destroyed=!0,this.debugData=new ArrayBuffer(0))}_copyBufferContents(e,t,i){let n=this.device.type==="webgpu"?Math.ceil(i/4)*4:i,o=this.device.createCommandEncoder();o.copyBufferToBuffer({sourceBuffer:e,destinationBuffer:t,size:n}),this.device.submit(o.finish())}_touch(){this.updateTimestamp=this.device.incrementTimestamp()}_resetDebugData(e){if(!this._debugDataEnabled){this.debugData=new ArrayBuffer(0);return}this.debugData=new ArrayBuffer(Math.min(e,this._maxDebugDataByteLength))}_writeDebugData(e,t){if(!this._debugDataEnabled||this.debugData.byteLength===0||t>=this.debugData.byteLength)return!1;let i=ArrayBuffer.isView(e)?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):new Uint8Array(e),n=new Uint8Array(this.debugData),o=Math.min(i.byteLength,n.byteLength-t);return n.set(i.subarray(0,o),t),o>0}}});function Xo(r){return r!==null&&typeof r=="object"&&"resolveTextureBinding"in r&&typeof r.resolveTextureBinding=="function"}function tB(r){return r?.type==="texture"||r?.type==="external-texture"}function gv(r,e,t){let i=oc(r,e,{ignoreWarnings:!0});return tB(i)?i:r.bindings.length===0&&t?.fallbackGroup!==void 0?{type:"texture",name:e,group:t.fallbackGroup,location:0}:null}var mv=x(()=>{D()});function up(r,e){return r.shaderLanguage!==void 0&&r.shaderLanguage!==e?!1:e==="glsl"?"assembleGLSLShaderPair"in r&&typeof r.assembleGLSLShaderPair=="function":"assembleWGSLShader"in r&&typeof r.assembleWGSLShader=="function"}function nB(r,e){return!r||Object.keys(e).length===0?r:{...r,attributes:r.attributes.map(t=>{let i=t.name.startsWith("_luma_")?t.name.slice(6):null;return i&&e[i]?{...t,name:i}:t})}}function oB(r,e,t){if(Xo(e)){let i=gv(t,r,{fallbackGroup:0});return i?e.resolveTextureBinding(i):null}return e instanceof ve?e.buffer:cp(e)?pv(e):e}function sB(r){return r&&!_v(r)?r:null}function aB(r){return r&&_v(r)?r:void 0}function _v(r){return iB.includes(r)}function cB(r){return{type:r.type,shaderLanguage:r.info.shadingLanguage,shaderLanguageVersion:r.info.shadingLanguageVersion,gpu:r.info.gpu,limits:r.limits,features:r.features}}var It,rB,fp,iB,Z,dp=x(()=>{D();Be();Q0();ev();nv();ov();sv();cv();ip();sn();ap();lp();mv();It=2,rB=1e4,fp="render pipeline initialization failed",iB=["stencil8","depth16unorm","depth24plus","depth24plus-stencil8","depth32float","depth32float-stencil8"],Z=class r{static defaultProps={...Ke.defaultProps,source:void 0,vs:null,fs:null,id:"unnamed",handle:void 0,userData:{},defines:{},modules:[],plugins:[],geometry:null,indexBuffer:null,indexCount:void 0,firstVertex:0,firstIndex:0,attributes:{},constantAttributes:{},bindings:{},uniforms:{},varyings:[],isInstanced:void 0,instanceCount:0,vertexCount:0,shaderInputs:void 0,material:void 0,pipelineFactory:void 0,shaderFactory:void 0,transformFeedback:void 0,shaderAssembler:Qe.getDefaultShaderAssembler("glsl"),debugShaders:void 0,disableWarnings:void 0};device;id;source;vs;fs;pipelineFactory;shaderFactory;userData={};parameters;topology;bufferLayout;isInstanced=void 0;instanceCount=0;vertexCount;indexCount;firstVertex;firstIndex;indexBuffer=null;bufferAttributes={};constantAttributes={};bindings={};vertexArray;transformFeedback=null;pipeline;shaderInputs;material=null;_uniformStore;_attributeInfos={};_gpuGeometry=null;props;_dynamicIndexBufferSource=null;_dynamicAttributeBufferSources={};_colorAttachmentFormats;_depthStencilAttachmentFormat;_pipelineNeedsUpdate="newly created";_needsRedraw="initializing";_drawBlockedReason=!1;_destroyed=!1;_vertexCountSet=!1;_lastDrawTimestamp=-1;_bindingTable=[];get[Symbol.toStringTag](){return"Model"}toString(){return`Model(${this.id})`}constructor(e,t){let i=r.defaultProps.shaderAssembler,n=t.vertexCount!==void 0;this.props={...r.defaultProps,...t,shaderAssembler:t.shaderAssembler??(up(i,e.info.shadingLanguage)?i:Qe.getDefaultShaderAssembler(e.info.shadingLanguage))},this._vertexCountSet=n,t=this.props,this.id=t.id||Mt("model"),this.device=e,Object.assign(this.userData,t.userData),this.material=t.material||null;let o=cB(e),s=xo(this.props.plugins,o.shaderLanguage),a=bo(this.props.modules,s.modules),c=Object.fromEntries(a.map(h=>[h.name,h])),l=t.shaderInputs||new fn(c,{disableWarnings:this.props.disableWarnings});t.shaderInputs&&s.modules.length>0&&l.addModules(s.modules),this.setShaderInputs(l);let f=rl(this.props.modules,l.getModules()),u={...s.defines,...this.props.defines};if(this.device.type==="webgl"&&(this.props._uniformBlockLayouts=fv(f)),this.props.shaderLayout=ln(this.props.shaderLayout,f)||null,this.device.type==="webgpu"&&this.props.source){let h=this.props.shaderAssembler;cr(up(h,"wgsl"));let{source:p,getUniforms:g,bindingTable:m,shaderLayout:y}=h.assembleWGSLShader({platformInfo:o,...this.props,modules:f,defines:u,pluginInjections:s.injections,pluginVertexInputs:s.vertexInputs,pluginVaryings:s.varyings});this.source=p,this._getModuleUniforms=g,this._bindingTable=m;let v=y??e.getShaderLayout?.(this.source),_=nB(v,s.vertexInputs),b=lv(this.props.shaderLayout,_,Object.keys(s.vertexInputs));this.props.shaderLayout=ln(b||null,f)||null}else{let h=this.props.shaderAssembler;cr(up(h,"glsl"));let{vs:p,fs:g,getUniforms:m}=h.assembleGLSLShaderPair({platformInfo:o,...this.props,modules:f,defines:u,pluginInjections:s.injections,pluginVertexInputs:s.vertexInputs,pluginVaryings:s.varyings});this.vs=p,this.fs=g,this._getModuleUniforms=m,this._bindingTable=[]}this.vertexCount=this.props.vertexCount,this.indexCount=this.props.indexCount,this.firstVertex=this.props.firstVertex,this.firstIndex=this.props.firstIndex,this.instanceCount=this.props.instanceCount,this.topology=this.props.topology,this.bufferLayout=this.props.bufferLayout,this.parameters=this.props.parameters,this._colorAttachmentFormats=this.props.colorAttachmentFormats,this._depthStencilAttachmentFormat=this.props.depthStencilAttachmentFormat,t.geometry&&this.setGeometry(t.geometry),this.pipelineFactory=t.pipelineFactory||Wr.getDefaultPipelineFactory(this.device),this.shaderFactory=t.shaderFactory||jr.getDefaultShaderFactory(this.device),this.pipeline=this._updatePipeline(),this.vertexArray=e.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry),"isInstanced"in t&&(this.isInstanced=t.isInstanced),t.instanceCount&&this.setInstanceCount(t.instanceCount),t.vertexCount&&this.setVertexCount(t.vertexCount),t.indexBuffer&&this.setIndexBuffer(t.indexBuffer),t.attributes&&this.setAttributes(t.attributes),t.constantAttributes&&this.setConstantAttributes(t.constantAttributes),t.bindings&&this.setBindings(t.bindings),t.transformFeedback&&(this.transformFeedback=t.transformFeedback)}destroy(){this._destroyed||(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.pipeline.vs),this.pipeline.fs&&this.pipeline.fs!==this.pipeline.vs&&this.shaderFactory.release(this.pipeline.fs),this._uniformStore.destroy(),this._gpuGeometry?.destroy(),this._destroyed=!0)}needsRedraw(){this._getBindingsUpdateTimestamp()>this._lastDrawTimestamp&&this.setNeedsRedraw("contents of bound textures or buffers updated");let e=this._needsRedraw;return this._needsRedraw=!1,e}setNeedsRedraw(e){this._needsRedraw||=e}getBindingDebugTable(){return this._bindingTable}predraw(e){this._syncDynamicBuffers(),this.updateShaderInputs(e),this.material?.updateShaderInputs(e),this.pipeline=this._updatePipeline()}draw(e){if(this._drawBlockedReason&&!this._pipelineNeedsUpdate)return E.info(It,`>>> DRAWING ABORTED ${this.id}: ${this._drawBlockedReason}`)(),!1;let t=this._areBindingsLoading();if(t)return E.info(It,`>>> DRAWING ABORTED ${this.id}: ${t} not loaded`)(),!1;this._syncAttachmentFormats(e);try{e.pushDebugGroup(`${this}.predraw(${e})`),this.device.type==="webgpu"?(this.updateShaderInputs(),this.material?.updateShaderInputs(),this._syncDynamicBuffers(),this.pipeline=this._updatePipeline()):this.predraw(this.device.commandEncoder)}finally{e.popDebugGroup()}let i,n=this.pipeline.isErrored;try{if(e.pushDebugGroup(`${this}.draw(${e})`),this._logDrawCallStart(),this.pipeline=this._updatePipeline(),n=this.pipeline.isErrored,n)E.info(It,`>>> DRAWING ABORTED ${this.id}: ${fp}`)(),i=!1;else{let o=this.vertexArray.getDrawValidationError();if(o)E.info(It,`>>> DRAWING ABORTED ${this.id}: ${o}`)(),this._drawBlockedReason=o,i=!1;else{let s=this._getCurrentShaderLayout(),a=this._getBindings(s),c=this._getBindGroups(s,a),{indexBuffer:l}=this.vertexArray,f=l?this.indexCount??(this._vertexCountSet?this.vertexCount:l.byteLength/(l.indexType==="uint32"?4:2)):void 0;e.setPipeline(this.pipeline),e.setBindings(c,{_bindGroupCacheKeys:this._getBindGroupCacheKeys()}),e.setVertexArray(this.vertexArray),i=this.isInstanced===!0&&this.instanceCount===0?!0:e.draw({isInstanced:this.isInstanced,vertexCount:this.vertexCount,instanceCount:this.isInstanced?this.instanceCount:void 0,indexCount:f,firstVertex:this.firstVertex,firstIndex:this.firstIndex,transformFeedback:this.transformFeedback||void 0,uniforms:this.props.uniforms,parameters:this.parameters,topology:this.topology})}}}finally{e.popDebugGroup(),this._logDrawCallEnd()}return this._logFramebuffer(e),i?(this._lastDrawTimestamp=this.device.timestamp,this._needsRedraw=!1):n?(this._needsRedraw=fp,this._drawBlockedReason=fp):this._drawBlockedReason?this._needsRedraw=this._drawBlockedReason:this._needsRedraw="waiting for resource initialization",i}setGeometry(e){this._gpuGeometry?.destroy();let t=e&&K0(this.device,e);if(t){this.setTopology(t.topology||"triangle-list");let i=new cn(this.bufferLayout);this.bufferLayout=i.mergeBufferLayouts(t.bufferLayout,this.bufferLayout),this.vertexArray&&this._setGeometryAttributes(t)}this._gpuGeometry=t}setTopology(e){e!==this.topology&&(this.topology=e,this._setPipelineNeedsUpdate("topology"))}setBufferLayout(e){let t=new cn(this.bufferLayout),i=this._gpuGeometry?t.mergeBufferLayouts(e,this._gpuGeometry.bufferLayout):e;an(i,this.bufferLayout,-1)||(this.bufferLayout=i,this._setPipelineNeedsUpdate("bufferLayout"),this.pipeline=this._updatePipeline(),this.vertexArray=this.device.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry))}setParameters(e){an(e,this.parameters,2)||(this.parameters=e,this._setPipelineNeedsUpdate("parameters"))}setInstanceCount(e){this.instanceCount=e,this.isInstanced===void 0&&e>0&&(this.isInstanced=!0),this.setNeedsRedraw("instanceCount")}setVertexCount(e){this.vertexCount=e,this._vertexCountSet=!0,this.setNeedsRedraw("vertexCount")}setIndexCount(e){this.indexCount=e,this.setNeedsRedraw("indexCount")}setDrawOffsets({firstVertex:e,firstIndex:t}){this.firstVertex=e,this.firstIndex=t,this.setNeedsRedraw("drawOffsets")}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new qr(this.device,this.shaderInputs.modules);for(let[t,i]of Object.entries(this.shaderInputs.modules))if(qo(i)&&!this.material?.ownsModule(t)){let n=this._uniformStore.getManagedUniformBuffer(t);this.bindings[`${t}Uniforms`]=n}this.setNeedsRedraw("shaderInputs")}setMaterial(e){this.material=e,this.setNeedsRedraw("material")}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e),this.setBindings(this._getNonMaterialBindings(this.shaderInputs.getBindingValues())),this.setNeedsRedraw("shaderInputs")}setBindings(e){Object.assign(this.bindings,e),this.setNeedsRedraw("bindings")}setTransformFeedback(e){this.transformFeedback=e,this.setNeedsRedraw("transformFeedback")}setIndexBuffer(e){let t=e instanceof ve?e.buffer:e;this.indexBuffer=t,this._dynamicIndexBufferSource=e instanceof ve?{source:e,generation:e.generation}:null,this.vertexArray.setIndexBuffer(t),this.setNeedsRedraw("indexBuffer")}setAttributes(e,t){this._drawBlockedReason=!1;let i=t?.disableWarnings??this.props.disableWarnings;e.indices&&E.warn(`Model:${this.id} setAttributes() - indexBuffer should be set using setIndexBuffer()`)(),this.bufferLayout=av(this.pipeline.shaderLayout,this.bufferLayout);let n=new cn(this.bufferLayout);for(let[o,s]of Object.entries(e)){let a=s instanceof ve?s.buffer:s,c=n.getBufferLayout(o);if(!c){i||E.warn(`Model(${this.id}): Missing layout for buffer "${o}".`)();continue}let l=n.getAttributeNamesForBuffer(c),f=!1;for(let u of l){let d=this._attributeInfos[u];if(d){let h=this.device.type==="webgpu"?this.vertexArray.getBufferSlot(d.bufferName):d.location;if(h===null){i||E.warn(`Model(${this.id}): Missing vertex array slot for buffer "${d.bufferName}".`)();continue}this.vertexArray.setBuffer(h,a),s instanceof ve?this._dynamicAttributeBufferSources[h]={source:s,generation:s.generation}:delete this._dynamicAttributeBufferSources[h],f=!0}}!f&&!i&&E.warn(`Model(${this.id}): Ignoring buffer "${a.id}" for unknown attribute "${o}"`)()}this.setNeedsRedraw("attributes")}setConstantAttributes(e,t){for(let[i,n]of Object.entries(e)){let o=this._attributeInfos[i];o?this.vertexArray.setConstantWebGL(o.location,n):(t?.disableWarnings??this.props.disableWarnings)||E.warn(`Model "${this.id}: Ignoring constant supplied for unknown attribute "${i}"`)()}this.setNeedsRedraw("constants")}_areBindingsLoading(){for(let e of Object.values(this.bindings))if(Xo(e)&&!e.isReady)return e.id;for(let e of Object.values(this.material?.bindings||{}))if(Xo(e)&&!e.isReady)return e.id;return!1}_getBindings(e=this._getCurrentShaderLayout()){let t={};for(let[i,n]of Object.entries(this.bindings)){let o=oB(i,n,e);o&&(t[i]=o)}return t}_getBindGroups(e=this._getCurrentShaderLayout(),t=this._getBindings(e)){let i=e.bindings.length?Hr(e,t):{0:t};if(!this.material)return i;for(let[n,o]of Object.entries(this.material.getBindingsByGroup(e))){let s=Number(n);i[s]={...i[s]||{},...o}}return i}_getBindGroupCacheKeys(){let e=this.material?.getBindGroupCacheKey(3);return e?{3:e}:{}}_getBindingsUpdateTimestamp(){let e=0;this._dynamicIndexBufferSource&&(e=Math.max(e,this._dynamicIndexBufferSource.source.updateTimestamp));for(let t of Object.values(this._dynamicAttributeBufferSources))e=Math.max(e,t.source.updateTimestamp);for(let t of Object.values(this.bindings))t instanceof Gr?e=Math.max(e,t.texture.updateTimestamp):t instanceof F||t instanceof V||t instanceof so||t instanceof ve?e=Math.max(e,t.updateTimestamp):Xo(t)?e=t.isReady?Math.max(e,t.updateTimestamp):1/0:cp(t)&&(e=Math.max(e,(t.buffer instanceof ve,t.buffer.updateTimestamp)));return Math.max(e,this.material?.getBindingsUpdateTimestamp()||0)}_setGeometryAttributes(e){let t={...e.attributes};for(let[i]of Object.entries(t))!this.pipeline.shaderLayout.attributes.find(n=>n.name===i)&&i!=="positions"&&delete t[i];this.vertexCount=e.vertexCount,this._vertexCountSet=!0,this.setIndexBuffer(e.indices||null),this.setAttributes(e.attributes,{disableWarnings:!0}),this.setAttributes(t,{disableWarnings:this.props.disableWarnings}),this.setNeedsRedraw("geometry attributes")}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate||=e,this._drawBlockedReason=!1,this.setNeedsRedraw(e)}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null,t=null;this.pipeline&&(E.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.pipeline.vs,t=this.pipeline.fs),this._pipelineNeedsUpdate=!1;let i=this.shaderFactory.createShader({id:`${this.id}-vertex`,stage:"vertex",source:this.source||this.vs,debugShaders:this.props.debugShaders}),n=null;this.source?n=i:this.fs&&(n=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:"fragment",source:this.source||this.fs,debugShaders:this.props.debugShaders})),this.pipeline=this.pipelineFactory.createRenderPipeline({...this.props,bindings:void 0,bufferLayout:this.bufferLayout,colorAttachmentFormats:this._colorAttachmentFormats,depthStencilAttachmentFormat:this._depthStencilAttachmentFormat,topology:this.topology,parameters:this.parameters,bindGroups:void 0,vs:i,fs:n}),this._attributeInfos=yo(this.pipeline.shaderLayout,this.bufferLayout),e&&this.shaderFactory.release(e),t&&t!==e&&this.shaderFactory.release(t)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=E.level>3?0:rB;E.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,E.group(It,`>>> DRAWING MODEL ${this.id}`,{collapsed:E.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=J0(this.pipeline.shaderLayout,this.id);E.table(It,e)();let t=this.shaderInputs.getDebugTable();E.table(It,t)();let i=this._getAttributeDebugTable();E.table(It,this._attributeInfos)(),E.table(It,i)(),E.groupEnd(It)(),this._logOpen=!1}}_drawCount=0;_logFramebuffer(e){let t=this.device.props.debugFramebuffers;if(this._drawCount++,!t)return;let i=e.props.framebuffer;iv(e,i,{id:i?.id||`${this.id}-framebuffer`,minimap:!0})}_getAttributeDebugTable(){let e={};for(let[t,i]of Object.entries(this._attributeInfos)){let n=this.vertexArray.attributes[i.location];e[i.location]={name:t,type:i.shaderType,values:n?this._getBufferOrConstantValues(n,i.bufferDataType):"null"}}if(this.vertexArray.indexBuffer){let{indexBuffer:t}=this.vertexArray,i=t.indexType==="uint32"?new Uint32Array(t.debugData):new Uint16Array(t.debugData);e.indices={name:"indices",type:t.indexType,values:i.toString()}}return e}_getBufferOrConstantValues(e,t){let i=ge.getTypedArrayConstructor(t);return(e instanceof F?new i(e.debugData):e).toString()}_getNonMaterialBindings(e){if(!this.material)return e;let t={};for(let[i,n]of Object.entries(e))this.material.ownsBinding(i)||(t[i]=n);return t}_getCurrentShaderLayout(){return this.pipeline?.shaderLayout||this.props.shaderLayout||{bindings:[]}}_syncDynamicBuffers(){if(this._dynamicIndexBufferSource&&this._dynamicIndexBufferSource.generation!==this._dynamicIndexBufferSource.source.generation){let e=this._dynamicIndexBufferSource.source.buffer;this.indexBuffer=e,this.vertexArray.setIndexBuffer(e),this._dynamicIndexBufferSource.generation=this._dynamicIndexBufferSource.source.generation,this.setNeedsRedraw("dynamic index buffer")}for(let[e,t]of Object.entries(this._dynamicAttributeBufferSources))t.generation!==t.source.generation&&(this.vertexArray.setBuffer(Number(e),t.source.buffer),t.generation=t.source.generation,this.setNeedsRedraw("dynamic attribute buffer"))}_syncAttachmentFormats(e){if(this.device.type!=="webgpu")return;let t=e.framebuffer||e.props.framebuffer,i=e.props,n=i.colorAttachmentFormats??t?.colorAttachments?.map(s=>sB(s?.texture?.format)),o=i.depthStencilAttachmentFormat===!1?void 0:i.depthStencilAttachmentFormat??aB(t?.depthStencilAttachment?.texture?.format);(!an(this._colorAttachmentFormats,n,1)||this._depthStencilAttachmentFormat!==o)&&(this._colorAttachmentFormats=n,this._depthStencilAttachmentFormat=o,this._setPipelineNeedsUpdate("attachment formats"))}}});var lB,fB,we,yv=x(()=>{D();Be();dp();lB=35980,fB=35981,we=class r{device;model;transformFeedback;static defaultProps={...Z.defaultProps,feedbackBufferMode:"separate",outputs:void 0,feedbackBuffers:void 0};static isSupported(e){return e?.info?.type==="webgl"}constructor(e,t=r.defaultProps){if(!r.isSupported(e))throw new Error("BufferTransform not yet implemented on WebGPU");this.device=e,this.model=new Z(this.device,{id:t.id||"buffer-transform-model",fs:t.fs||Vd(),topology:t.topology||"point-list",varyings:t.outputs||t.varyings,...t,bufferMode:t.bufferMode||(t.feedbackBufferMode==="interleaved"?lB:fB)}),this.transformFeedback=this.device.createTransformFeedback({layout:this.model.pipeline.shaderLayout,buffers:t.feedbackBuffers}),this.model.setTransformFeedback(this.transformFeedback)}destroy(){this.model&&this.model.destroy()}delete(){this.destroy()}run(e){e?.inputBuffers&&this.model.setAttributes(e.inputBuffers),e?.outputBuffers&&this.transformFeedback.setBuffers(e.outputBuffers);let t=this.device.beginRenderPass({discard:!0,...e});this.model.draw(t),t.end()}getBuffer(e){return this.transformFeedback.getBuffer(e)}readAsync(e){let t=this.getBuffer(e);if(!t)throw new Error("BufferTransform#getBuffer");if(t instanceof F)return t.readAsync();let{buffer:i,byteOffset:n=0,byteLength:o=i.byteLength}=t;return i.readAsync(n,o)}}});function dB(r){return{type:r.type,shaderLanguage:r.info.shadingLanguage,shaderLanguageVersion:r.info.shadingLanguageVersion,gpu:r.info.gpu,limits:r.limits,features:r.features}}var hp,uB,We,xv=x(()=>{D();Be();Cu();ap();ip();sn();hp=2,uB=1e4,We=class r{static defaultProps={...ur.defaultProps,id:"unnamed",handle:void 0,userData:{},source:"",modules:[],defines:{},plugins:[],bindings:void 0,shaderInputs:void 0,pipelineFactory:void 0,shaderFactory:void 0,shaderAssembler:Qe.getDefaultShaderAssembler("wgsl"),debugShaders:void 0};device;id;pipelineFactory;shaderFactory;userData={};bindings={};pipeline;source;shader;shaderInputs;_uniformStore;_pipelineNeedsUpdate="newly created";_getModuleUniforms;props;_destroyed=!1;constructor(e,t){if(e.type!=="webgpu")throw new Error("Computation is only supported in WebGPU");this.props={...r.defaultProps,...t},t=this.props,this.id=t.id||Mt("model"),this.device=e,Object.assign(this.userData,t.userData);let i=dB(e),n=xo(this.props.plugins,i.shaderLanguage);if(Object.keys(n.vertexInputs).length>0||Object.keys(n.varyings).length>0)throw new Error("Computation does not support ShaderPlugin vertex inputs or varyings");let o=bo(this.props.modules,n.modules),s=Object.fromEntries(o.map(p=>[p.name,p]));this.shaderInputs=t.shaderInputs||new fn(s),t.shaderInputs&&n.modules.length>0&&this.shaderInputs.addModules(n.modules),this.setShaderInputs(this.shaderInputs);let a=rl(this.props.modules,this.shaderInputs?.getModules()),c={...n.defines,...this.props.defines};this.props.shaderLayout=ln(this.props.shaderLayout,a)||null,this.pipelineFactory=t.pipelineFactory||Wr.getDefaultPipelineFactory(this.device),this.shaderFactory=t.shaderFactory||jr.getDefaultShaderFactory(this.device);let l=this.props.shaderAssembler;cr(l instanceof hr);let{source:f,getUniforms:u,shaderLayout:d}=l.assembleWGSLShader({platformInfo:i,...this.props,modules:a,defines:c,scanVertexAttributes:!1,pluginInjections:n.injections});this.source=f,this._getModuleUniforms=u;let h=d??e.getShaderLayout?.(this.source,{scanVertexAttributes:!1});this.props.shaderLayout=ln(this.props.shaderLayout||h||null,a)||null,this.pipeline=this._updatePipeline(),t.bindings&&this.setBindings(t.bindings)}destroy(){this._destroyed||(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.shader),this._uniformStore.destroy(),this._destroyed=!0)}predraw(e){this.updateShaderInputs(e)}dispatch(e,t,i,n){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatch(t,i,n)}finally{this._logDrawCallEnd()}}dispatchIndirect(e,t,i=0){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatchIndirect(t,i)}finally{this._logDrawCallEnd()}}_setPipeline(e){this.pipeline=this._updatePipeline(),this.pipeline.setBindings(this.bindings),e.setPipeline(this.pipeline),e.setBindings({})}setVertexCount(e){}setInstanceCount(e){}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new qr(this.device,this.shaderInputs.modules);for(let[t,i]of Object.entries(this.shaderInputs.modules))if(qo(i)){let n=this._uniformStore.getManagedUniformBuffer(t);this.bindings[`${t}Uniforms`]=n}}setShaderModuleProps(e){let t=this._getModuleUniforms(e),i=Object.keys(t).filter(o=>{let s=t[o];return!Yn(s)&&typeof s!="number"&&typeof s!="boolean"}),n={};for(let o of i)n[o]=t[o],delete t[o]}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e)}setBindings(e){Object.assign(this.bindings,e)}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate=this._pipelineNeedsUpdate||e}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null;this.pipeline&&(E.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.shader),this._pipelineNeedsUpdate=!1,this.shader=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:"compute",source:this.source,debugShaders:this.props.debugShaders}),this.pipeline=this.pipelineFactory.createComputePipeline({...this.props,shader:this.shader}),e&&this.shaderFactory.release(e)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=E.level>3?0:uB;E.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,E.group(hp,`>>> DRAWING MODEL ${this.id}`,{collapsed:E.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=this.shaderInputs.getDebugTable();E.table(hp,e)(),E.groupEnd(hp)(),this._logOpen=!1}}_drawCount=0;_getBufferOrConstantValues(e,t){let i=ge.getTypedArrayConstructor(t);return(e instanceof F?new i(e.debugData):e).toString()}}});var q=x(()=>{j0();X0();dp();yv();el();lp();xv()});function Bv(r=!0){let e=HTMLCanvasElement.prototype;if(!r&&e.originalGetContext){e.getContext=e.originalGetContext,e.originalGetContext=void 0;return}e.originalGetContext=e.getContext,e.getContext=function(t,i){if(t==="webgl"||t==="experimental-webgl"){let n=this.originalGetContext("webgl2",i);return n instanceof HTMLElement&&$B(n),n}return this.originalGetContext(t,i)}}function $B(r){r.getExtension("EXT_color_buffer_float");let e={...zB,WEBGL_disjoint_timer_query:r.getExtension("EXT_disjoint_timer_query_webgl2"),WEBGL_draw_buffers:UB(r),OES_vertex_array_object:GB(r),ANGLE_instanced_arrays:VB(r)},t=r.getExtension.bind(r);r.getExtension=function(n){let o=t(n);return o||(n in e?e[n]:null)};let i=r.getSupportedExtensions;r.getSupportedExtensions=function(){return(i.apply(r)||[])?.concat(Object.keys(e))}}var zB,UB,GB,VB,Dv=x(()=>{zB={WEBGL_depth_texture:{UNSIGNED_INT_24_8_WEBGL:34042},OES_element_index_uint:{},OES_texture_float:{},OES_texture_half_float:{HALF_FLOAT_OES:5131},EXT_color_buffer_float:{},OES_standard_derivatives:{FRAGMENT_SHADER_DERIVATIVE_HINT_OES:35723},EXT_frag_depth:{},EXT_blend_minmax:{MIN_EXT:32775,MAX_EXT:32776},EXT_shader_texture_lod:{}},UB=r=>({drawBuffersWEBGL(e){return r.drawBuffers(e)},COLOR_ATTACHMENT0_WEBGL:36064,COLOR_ATTACHMENT1_WEBGL:36065,COLOR_ATTACHMENT2_WEBGL:36066,COLOR_ATTACHMENT3_WEBGL:36067}),GB=r=>({VERTEX_ARRAY_BINDING_OES:34229,createVertexArrayOES(){return r.createVertexArray()},deleteVertexArrayOES(e){return r.deleteVertexArray(e)},isVertexArrayOES(e){return r.isVertexArray(e)},bindVertexArrayOES(e){return r.bindVertexArray(e)}}),VB=r=>({VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE:35070,drawArraysInstancedANGLE(...e){return r.drawArraysInstanced(...e)},drawElementsInstancedANGLE(...e){return r.drawElementsInstanced(...e)},vertexAttribDivisorANGLE(...e){return r.vertexAttribDivisor(...e)}})});async function Nv(){if(!fl){Sp();return}await fl.load()}function Fv(r,e){return fl?fl.makeDebugContext(r,e):(Sp(),r)}async function zv(r){if(!Ep){Sp();return}await Ep.load(r)}function Uv(r){return Ep?.initialize(r)||null}function Sp(){kv||(kv=!0,E.warn("Import @luma.gl/webgl/debug before enabling WebGL debugging.")())}var fl,Ep,kv,Tp=x(()=>{D();fl=null,Ep=null,kv=!1});function Lp(r){return Array.isArray(r)||ArrayBuffer.isView(r)&&!(r instanceof DataView)}function re(r,e,t){return e[r]!==void 0?e[r]:t[r]}var ps,oe,Gv,je,Vv,hs,$v,Wv,Cp,Bt,Ap,jv,Mp=x(()=>{ps={3042:!1,32773:new Float32Array([0,0,0,0]),32777:32774,34877:32774,32969:1,32968:0,32971:1,32970:0,3106:new Float32Array([0,0,0,0]),3107:[!0,!0,!0,!0],2884:!1,2885:1029,2929:!1,2931:1,2932:513,2928:new Float32Array([0,1]),2930:!0,3024:!0,35725:null,36006:null,36007:null,34229:null,34964:null,2886:2305,33170:4352,2849:1,32823:!1,32824:0,10752:0,32926:!1,32928:!1,32938:1,32939:!1,3089:!1,3088:new Int32Array([0,0,1024,1024]),2960:!1,2961:0,2968:4294967295,36005:4294967295,2962:519,2967:0,2963:4294967295,34816:519,36003:0,36004:4294967295,2964:7680,2965:7680,2966:7680,34817:7680,34818:7680,34819:7680,2978:[0,0,1024,1024],36389:null,36662:null,36663:null,35053:null,35055:null,35723:4352,36010:null,35977:!1,3333:4,3317:4,37440:!1,37441:!1,37443:37444,3330:0,3332:0,3331:0,3314:0,32878:0,3316:0,3315:0,32877:0},oe=(r,e,t)=>e?r.enable(t):r.disable(t),Gv=(r,e,t)=>r.hint(t,e),je=(r,e,t)=>r.pixelStorei(t,e),Vv=(r,e,t)=>{let i=t===36006?36009:36008;return r.bindFramebuffer(i,e)},hs=(r,e,t)=>{let n={34964:34962,36662:36662,36663:36663,35053:35051,35055:35052}[t];r.bindBuffer(n,e)};$v={3042:oe,32773:(r,e)=>r.blendColor(...e),32777:"blendEquation",34877:"blendEquation",32969:"blendFunc",32968:"blendFunc",32971:"blendFunc",32970:"blendFunc",3106:(r,e)=>r.clearColor(...e),3107:(r,e)=>r.colorMask(...e),2884:oe,2885:(r,e)=>r.cullFace(e),2929:oe,2931:(r,e)=>r.clearDepth(e),2932:(r,e)=>r.depthFunc(e),2928:(r,e)=>r.depthRange(...e),2930:(r,e)=>r.depthMask(e),3024:oe,35723:Gv,35725:(r,e)=>r.useProgram(e),36007:(r,e)=>r.bindRenderbuffer(36161,e),36389:(r,e)=>r.bindTransformFeedback?.(36386,e),34229:(r,e)=>r.bindVertexArray(e),36006:Vv,36010:Vv,34964:hs,36662:hs,36663:hs,35053:hs,35055:hs,2886:(r,e)=>r.frontFace(e),33170:Gv,2849:(r,e)=>r.lineWidth(e),32823:oe,32824:"polygonOffset",10752:"polygonOffset",35977:oe,32926:oe,32928:oe,32938:"sampleCoverage",32939:"sampleCoverage",3089:oe,3088:(r,e)=>r.scissor(...e),2960:oe,2961:(r,e)=>r.clearStencil(e),2968:(r,e)=>r.stencilMaskSeparate(1028,e),36005:(r,e)=>r.stencilMaskSeparate(1029,e),2962:"stencilFuncFront",2967:"stencilFuncFront",2963:"stencilFuncFront",34816:"stencilFuncBack",36003:"stencilFuncBack",36004:"stencilFuncBack",2964:"stencilOpFront",2965:"stencilOpFront",2966:"stencilOpFront",34817:"stencilOpBack",34818:"stencilOpBack",34819:"stencilOpBack",2978:(r,e)=>r.viewport(...e),34383:oe,10754:oe,12288:oe,12289:oe,12290:oe,12291:oe,12292:oe,12293:oe,12294:oe,12295:oe,3333:je,3317:je,37440:je,37441:je,37443:je,3330:je,3332:je,3331:je,3314:je,32878:je,3316:je,3315:je,32877:je,framebuffer:(r,e)=>{let t=e&&"handle"in e?e.handle:e;return r.bindFramebuffer(36160,t)},blend:(r,e)=>e?r.enable(3042):r.disable(3042),blendColor:(r,e)=>r.blendColor(...e),blendEquation:(r,e)=>{let t=typeof e=="number"?[e,e]:e;r.blendEquationSeparate(...t)},blendFunc:(r,e)=>{let t=e?.length===2?[...e,...e]:e;r.blendFuncSeparate(...t)},clearColor:(r,e)=>r.clearColor(...e),clearDepth:(r,e)=>r.clearDepth(e),clearStencil:(r,e)=>r.clearStencil(e),colorMask:(r,e)=>r.colorMask(...e),cull:(r,e)=>e?r.enable(2884):r.disable(2884),cullFace:(r,e)=>r.cullFace(e),depthTest:(r,e)=>e?r.enable(2929):r.disable(2929),depthFunc:(r,e)=>r.depthFunc(e),depthMask:(r,e)=>r.depthMask(e),depthRange:(r,e)=>r.depthRange(...e),dither:(r,e)=>e?r.enable(3024):r.disable(3024),derivativeHint:(r,e)=>{r.hint(35723,e)},frontFace:(r,e)=>r.frontFace(e),mipmapHint:(r,e)=>r.hint(33170,e),lineWidth:(r,e)=>r.lineWidth(e),polygonOffsetFill:(r,e)=>e?r.enable(32823):r.disable(32823),polygonOffset:(r,e)=>r.polygonOffset(...e),sampleCoverage:(r,e)=>r.sampleCoverage(e[0],e[1]||!1),scissorTest:(r,e)=>e?r.enable(3089):r.disable(3089),scissor:(r,e)=>r.scissor(...e),stencilTest:(r,e)=>e?r.enable(2960):r.disable(2960),stencilMask:(r,e)=>{e=Lp(e)?e:[e,e];let[t,i]=e;r.stencilMaskSeparate(1028,t),r.stencilMaskSeparate(1029,i)},stencilFunc:(r,e)=>{e=Lp(e)&&e.length===3?[...e,...e]:e;let[t,i,n,o,s,a]=e;r.stencilFuncSeparate(1028,t,i,n),r.stencilFuncSeparate(1029,o,s,a)},stencilOp:(r,e)=>{e=Lp(e)&&e.length===3?[...e,...e]:e;let[t,i,n,o,s,a]=e;r.stencilOpSeparate(1028,t,i,n),r.stencilOpSeparate(1029,o,s,a)},viewport:(r,e)=>r.viewport(...e)};Wv={blendEquation:(r,e,t)=>r.blendEquationSeparate(re(32777,e,t),re(34877,e,t)),blendFunc:(r,e,t)=>r.blendFuncSeparate(re(32969,e,t),re(32968,e,t),re(32971,e,t),re(32970,e,t)),polygonOffset:(r,e,t)=>r.polygonOffset(re(32824,e,t),re(10752,e,t)),sampleCoverage:(r,e,t)=>r.sampleCoverage(re(32938,e,t),re(32939,e,t)),stencilFuncFront:(r,e,t)=>r.stencilFuncSeparate(1028,re(2962,e,t),re(2967,e,t),re(2963,e,t)),stencilFuncBack:(r,e,t)=>r.stencilFuncSeparate(1029,re(34816,e,t),re(36003,e,t),re(36004,e,t)),stencilOpFront:(r,e,t)=>r.stencilOpSeparate(1028,re(2964,e,t),re(2965,e,t),re(2966,e,t)),stencilOpBack:(r,e,t)=>r.stencilOpSeparate(1029,re(34817,e,t),re(34818,e,t),re(34819,e,t))},Cp={enable:(r,e)=>r({[e]:!0}),disable:(r,e)=>r({[e]:!1}),pixelStorei:(r,e,t)=>r({[e]:t}),hint:(r,e,t)=>r({[e]:t}),useProgram:(r,e)=>r({35725:e}),bindRenderbuffer:(r,e,t)=>r({36007:t}),bindTransformFeedback:(r,e,t)=>r({36389:t}),bindVertexArray:(r,e)=>r({34229:e}),bindFramebuffer:(r,e,t)=>{switch(e){case 36160:return r({36006:t,36010:t});case 36009:return r({36006:t});case 36008:return r({36010:t});default:return null}},bindBuffer:(r,e,t)=>{let i={34962:[34964],36662:[36662],36663:[36663],35051:[35053],35052:[35055]}[e];return i?r({[i]:t}):{valueChanged:!0}},blendColor:(r,e,t,i,n)=>r({32773:new Float32Array([e,t,i,n])}),blendEquation:(r,e)=>r({32777:e,34877:e}),blendEquationSeparate:(r,e,t)=>r({32777:e,34877:t}),blendFunc:(r,e,t)=>r({32969:e,32968:t,32971:e,32970:t}),blendFuncSeparate:(r,e,t,i,n)=>r({32969:e,32968:t,32971:i,32970:n}),clearColor:(r,e,t,i,n)=>r({3106:new Float32Array([e,t,i,n])}),clearDepth:(r,e)=>r({2931:e}),clearStencil:(r,e)=>r({2961:e}),colorMask:(r,e,t,i,n)=>r({3107:[e,t,i,n]}),cullFace:(r,e)=>r({2885:e}),depthFunc:(r,e)=>r({2932:e}),depthRange:(r,e,t)=>r({2928:new Float32Array([e,t])}),depthMask:(r,e)=>r({2930:e}),frontFace:(r,e)=>r({2886:e}),lineWidth:(r,e)=>r({2849:e}),polygonOffset:(r,e,t)=>r({32824:e,10752:t}),sampleCoverage:(r,e,t)=>r({32938:e,32939:t}),scissor:(r,e,t,i,n)=>r({3088:new Int32Array([e,t,i,n])}),stencilMask:(r,e)=>r({2968:e,36005:e}),stencilMaskSeparate:(r,e,t)=>r({[e===1028?2968:36005]:t}),stencilFunc:(r,e,t,i)=>r({2962:e,2967:t,2963:i,34816:e,36003:t,36004:i}),stencilFuncSeparate:(r,e,t,i,n)=>r({[e===1028?2962:34816]:t,[e===1028?2967:36003]:i,[e===1028?2963:36004]:n}),stencilOp:(r,e,t,i)=>r({2964:e,2965:t,2966:i,34817:e,34818:t,34819:i}),stencilOpSeparate:(r,e,t,i,n)=>r({[e===1028?2964:34817]:t,[e===1028?2965:34818]:i,[e===1028?2966:34819]:n}),viewport:(r,e,t,i,n)=>r({2978:[e,t,i,n]})},Bt=(r,e)=>r.isEnabled(e),Ap={3042:Bt,2884:Bt,2929:Bt,3024:Bt,32823:Bt,32926:Bt,32928:Bt,3089:Bt,2960:Bt,35977:Bt},jv=new Set([34016,36388,36387,35983,35368,34965,35739,35738,3074,34853,34854,34855,34856,34857,34858,34859,34860,34861,34862,34863,34864,34865,34866,34867,34868,35097,32873,35869,32874,34068])});function ht(r,e){if(WB(e))return;let t={};for(let n in e){let o=Number(n),s=$v[n];s&&(typeof s=="string"?t[s]=!0:s(r,e[n],o))}let i=r.lumaState?.cache;if(i)for(let n in t){let o=Wv[n];o(r,e,i)}}function ul(r,e=ps){if(typeof e=="number"){let n=e,o=Ap[n];return o?o(r,n):r.getParameter(n)}let t=Array.isArray(e)?e:Object.keys(e),i={};for(let n of t){let o=Ap[n];i[n]=o?o(r,Number(n)):r.getParameter(Number(n))}return i}function Hv(r){ht(r,ps)}function WB(r){for(let e in r)return!1;return!0}var gn=x(()=>{Mp()});function qv(r,e){if(r===e)return!0;if(Yv(r)&&Yv(e)&&r.length===e.length){for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}return!1}function Yv(r){return Array.isArray(r)||ArrayBuffer.isView(r)}var Zv=x(()=>{});function Xv(r,e){let t=r[e].bind(r);r[e]=function(n){if(n===void 0||jv.has(n))return t(n);let o=pt.get(r);return n in o.cache||(o.cache[n]=t(n)),o.enable?o.cache[n]:t(n)},Object.defineProperty(r[e],"name",{value:`${e}-from-cache`,configurable:!1})}function jB(r,e,t){if(!r[e])return;let i=r[e].bind(r);r[e]=function(...o){let s=pt.get(r),{valueChanged:a,oldValue:c}=t(s._updateCache,...o);return a&&i(...o),c},Object.defineProperty(r[e],"name",{value:`${e}-to-cache`,configurable:!1})}function HB(r){let e=r.useProgram.bind(r);r.useProgram=function(i){let n=pt.get(r);n.program!==i&&(e(i),n.program=i)}}var pt,Ip=x(()=>{gn();Zv();Mp();pt=class{static get(e){return e.lumaState}gl;program=null;stateStack=[];enable=!0;cache=null;log;initialized=!1;constructor(e,t){this.gl=e,this.log=t?.log||(()=>{}),this._updateCache=this._updateCache.bind(this),Object.seal(this)}push(e={}){this.stateStack.push({})}pop(){let e=this.stateStack[this.stateStack.length-1];ht(this.gl,e),this.stateStack.pop()}trackState(e,t){if(this.cache=t?.copyState?ul(e):Object.assign({},ps),this.initialized)throw new Error("WebGLStateTracker");this.initialized=!0,this.gl.lumaState=this,HB(e);for(let i in Cp){let n=Cp[i];jB(e,i,n)}Xv(e,"getParameter"),Xv(e,"isEnabled")}_updateCache(e){let t=!1,i,n=this.stateStack.length>0?this.stateStack[this.stateStack.length-1]:null;for(let o in e){let s=e[o],a=this.cache[o];qv(s,a)||(t=!0,i=a,n&&!(o in n)&&(n[o]=a),this.cache[o]=s)}return{valueChanged:t,oldValue:i}}}});function gs(r){let e=r.luma||{_polyfilled:!1,extensions:{},softwareRenderer:!1};return e._polyfilled??=!1,e.extensions||={},r.luma=e,e}var Rp=x(()=>{});function Kv(r,e,t){let i="",n=c=>{let l=c.statusMessage;l&&(i||=l)};r.addEventListener("webglcontextcreationerror",n,!1);let o=t.failIfMajorPerformanceCaveat!==!0,s={preserveDrawingBuffer:!0,...t,failIfMajorPerformanceCaveat:!0},a=null;try{a||=r.getContext("webgl2",s),!a&&s.failIfMajorPerformanceCaveat&&(i||="Only software GPU is available. Set `failIfMajorPerformanceCaveat: false` to allow.");let c=!1;if(!a&&o&&(s.failIfMajorPerformanceCaveat=!1,a=r.getContext("webgl2",s),c=!0),a||(a=r.getContext("webgl",{}),a&&(a=null,i||="Your browser only supports WebGL1")),!a)throw i||="Your browser does not support WebGL",new Error(`Failed to create WebGL context: ${i}`);let l=gs(a);l.softwareRenderer=c;let{onContextLost:f,onContextRestored:u}=e;return r.addEventListener("webglcontextlost",d=>f(d),!1),r.addEventListener("webglcontextrestored",d=>u(d),!1),a}finally{r.removeEventListener("webglcontextcreationerror",n,!1)}}var Qv=x(()=>{Rp()});function gt(r,e,t){return t[e]===void 0&&(t[e]=r.getExtension(e)||null),t[e]}var ms=x(()=>{});function Jv(r,e){let t=r.getParameter(7936),i=r.getParameter(7937);gt(r,"WEBGL_debug_renderer_info",e);let n=e.WEBGL_debug_renderer_info,o=r.getParameter(n?n.UNMASKED_VENDOR_WEBGL:7936),s=r.getParameter(n?n.UNMASKED_RENDERER_WEBGL:7937),a=o||t,c=s||i,l=r.getParameter(7938),f=ew(a,c),u=YB(a,c),d=qB(a,c);return{type:"webgl",gpu:f,gpuType:d,gpuBackend:u,vendor:a,renderer:c,version:l,shadingLanguage:"glsl",shadingLanguageVersion:300}}function ew(r,e){return/NVIDIA/i.exec(r)||/NVIDIA/i.exec(e)?"nvidia":/INTEL/i.exec(r)||/INTEL/i.exec(e)?"intel":/Apple/i.exec(r)||/Apple/i.exec(e)?"apple":/AMD/i.exec(r)||/AMD/i.exec(e)||/ATI/i.exec(r)||/ATI/i.exec(e)?"amd":/SwiftShader/i.exec(r)||/SwiftShader/i.exec(e)?"software":"unknown"}function YB(r,e){return/Metal/i.exec(r)||/Metal/i.exec(e)?"metal":/ANGLE/i.exec(r)||/ANGLE/i.exec(e)?"opengl":"unknown"}function qB(r,e){if(/SwiftShader/i.exec(r)||/SwiftShader/i.exec(e))return"cpu";switch(ew(r,e)){case"apple":return ZB(r,e)?"integrated":"unknown";case"intel":return"integrated";case"software":return"cpu";case"unknown":return"unknown";default:return"discrete"}}function ZB(r,e){return/Apple (M\d|A\d|GPU)/i.test(`${r} ${e}`)}var tw=x(()=>{ms()});function dl(r){switch(r){case"uint8":return 5121;case"sint8":return 5120;case"unorm8":return 5121;case"snorm8":return 5120;case"uint16":return 5123;case"sint16":return 5122;case"unorm16":return 5123;case"snorm16":return 5122;case"uint32":return 5125;case"sint32":return 5124;case"float16":return 5131;case"float32":return 5126}throw new Error(String(r))}var Op=x(()=>{});function nw(r){return r in pl}function Fp(r,e,t){return ow(r,e,t,new Set)}function ow(r,e,t,i){let n=pl[e];if(!n||i.has(e))return!1;i.add(e);let o=(n.features||[]).every(s=>ow(r,s,t,i));return i.delete(e),o?(n.extensions||[]).every(s=>!!gt(r,s,t)):!1}function sw(r,e,t){let i=e.create,n=gl[e.format];n?.gl===void 0&&(i=!1),n?.x&&(i=i&&!!gt(r,n.x,t)),e.format==="stencil8"&&(i=!1);let o=n?.r===!1?!1:n?.r===void 0||Fp(r,n.r,t),s=i&&e.render&&o&&i4(r,e.format,t);return{format:e.format,create:i&&e.create,render:s,filter:i&&e.filter,blend:i&&e.blend,store:i&&e.store}}function i4(r,e,t){let i=gl[e],n=i?.gl;if(n===void 0||i?.x&&!gt(r,i.x,t))return!1;let o=r.getParameter(32873),s=r.getParameter(36006),a=r.createTexture(),c=r.createFramebuffer();if(!a||!c)return!1;let l=0,f=Number(r.getError());for(;f!==l;)f=r.getError();let u=!1;try{if(r.bindTexture(3553,a),r.texStorage2D(3553,1,n,1,1),Number(r.getError())!==l)return!1;r.bindFramebuffer(36160,c),r.framebufferTexture2D(36160,36064,3553,a,0),u=Number(r.checkFramebufferStatus(36160))===36053&&Number(r.getError())===l}finally{r.bindFramebuffer(36160,s),r.deleteFramebuffer(c),r.bindTexture(3553,o),r.deleteTexture(a)}return u}function ml(r){let e=gl[r],t=o4(r),i=Ae.getInfo(r);return i.compressed&&(e.dataFormat=t),{internalFormat:t,format:e?.dataFormat||n4(i.channels,i.integer,i.normalized,t),type:i.dataType?dl(i.dataType):e?.types?.[0]||5121,compressed:i.compressed||!1}}function aw(r){switch(Ae.getInfo(r).attachment){case"depth":return 36096;case"stencil":return 36128;case"depth-stencil":return 33306;default:throw new Error(`Not a depth stencil format: ${r}`)}}function n4(r,e,t,i){if(i===6408||i===6407)return i;switch(r){case"r":return e&&!t?36244:6403;case"rg":return e&&!t?33320:33319;case"rgb":return e&&!t?36248:6407;case"rgba":return e&&!t?36249:6408;case"bgra":throw new Error("bgra pixels not supported by WebGL");default:return 6408}}function o4(r){let t=gl[r]?.gl;if(t===void 0)throw new Error(`Unsupported texture format ${r}`);return t}var _s,ys,mn,_n,XB,KB,QB,JB,e4,t4,rw,iw,Bp,Dp,kp,Np,hl,r4,pl,gl,yn=x(()=>{D();ms();Op();_s="WEBGL_compressed_texture_s3tc",ys="WEBGL_compressed_texture_s3tc_srgb",mn="EXT_texture_compression_rgtc",_n="EXT_texture_compression_bptc",XB="WEBGL_compressed_texture_etc",KB="WEBGL_compressed_texture_astc",QB="WEBGL_compressed_texture_etc1",JB="WEBGL_compressed_texture_pvrtc",e4="WEBGL_compressed_texture_atc",t4="EXT_texture_norm16",rw="EXT_render_snorm",iw="EXT_color_buffer_float",Bp="snorm8-renderable-webgl",Dp="norm16-renderable-webgl",kp="snorm16-renderable-webgl",Np="float16-renderable-webgl",hl="float32-renderable-webgl",r4="rgb9e5ufloat-renderable-webgl",pl={"float32-renderable-webgl":{extensions:[iw]},"float16-renderable-webgl":{extensions:["EXT_color_buffer_half_float"]},"rgb9e5ufloat-renderable-webgl":{extensions:["WEBGL_render_shared_exponent"]},"snorm8-renderable-webgl":{extensions:[rw]},"norm16-webgl":{extensions:[t4]},"norm16-renderable-webgl":{features:["norm16-webgl"]},"snorm16-renderable-webgl":{features:["norm16-webgl"],extensions:[rw]},"float32-filterable":{extensions:["OES_texture_float_linear"]},"float16-filterable-webgl":{extensions:["OES_texture_half_float_linear"]},"texture-filterable-anisotropic-webgl":{extensions:["EXT_texture_filter_anisotropic"]},"texture-blend-float-webgl":{extensions:["EXT_float_blend"]},"texture-compression-bc":{extensions:[_s,ys,mn,_n]},"texture-compression-bc5-webgl":{extensions:[mn]},"texture-compression-bc7-webgl":{extensions:[_n]},"texture-compression-etc2":{extensions:[XB]},"texture-compression-astc":{extensions:[KB]},"texture-compression-etc1-webgl":{extensions:[QB]},"texture-compression-pvrtc-webgl":{extensions:[JB]},"texture-compression-atc-webgl":{extensions:[e4]}};gl={r8unorm:{gl:33321,rb:!0},r8snorm:{gl:36756,r:Bp},r8uint:{gl:33330,rb:!0},r8sint:{gl:33329,rb:!0},rg8unorm:{gl:33323,rb:!0},rg8snorm:{gl:36757,r:Bp},rg8uint:{gl:33336,rb:!0},rg8sint:{gl:33335,rb:!0},r16uint:{gl:33332,rb:!0},r16sint:{gl:33331,rb:!0},r16float:{gl:33325,rb:!0,r:Np},r16unorm:{gl:33322,rb:!0,r:Dp},r16snorm:{gl:36760,r:kp},"rgba4unorm-webgl":{gl:32854,rb:!0},"rgb565unorm-webgl":{gl:36194,rb:!0},"rgb5a1unorm-webgl":{gl:32855,rb:!0},"rgb8unorm-webgl":{gl:32849},"rgb8snorm-webgl":{gl:36758},rgba8unorm:{gl:32856},"rgba8unorm-srgb":{gl:35907},rgba8snorm:{gl:36759,r:Bp},rgba8uint:{gl:36220},rgba8sint:{gl:36238},bgra8unorm:{},"bgra8unorm-srgb":{},rg16uint:{gl:33338},rg16sint:{gl:33337},rg16float:{gl:33327,rb:!0,r:Np},rg16unorm:{gl:33324,r:Dp},rg16snorm:{gl:36761,r:kp},r32uint:{gl:33334,rb:!0},r32sint:{gl:33333,rb:!0},r32float:{gl:33326,r:hl},rgb9e5ufloat:{gl:35901,r:r4},rg11b10ufloat:{gl:35898,rb:!0},rgb10a2unorm:{gl:32857,rb:!0},rgb10a2uint:{gl:36975,rb:!0},"rgb16unorm-webgl":{gl:32852,r:!1},"rgb16snorm-webgl":{gl:36762,r:!1},rg32uint:{gl:33340,rb:!0},rg32sint:{gl:33339,rb:!0},rg32float:{gl:33328,rb:!0,r:hl},rgba16uint:{gl:36214,rb:!0},rgba16sint:{gl:36232,rb:!0},rgba16float:{gl:34842,r:Np},rgba16unorm:{gl:32859,rb:!0,r:Dp},rgba16snorm:{gl:36763,r:kp},"rgb32float-webgl":{gl:34837,x:iw,r:hl,dataFormat:6407,types:[5126]},rgba32uint:{gl:36208,rb:!0},rgba32sint:{gl:36226,rb:!0},rgba32float:{gl:34836,rb:!0,r:hl},stencil8:{gl:36168,rb:!0},depth16unorm:{gl:33189,dataFormat:6402,types:[5123],rb:!0},depth24plus:{gl:33190,dataFormat:6402,types:[5125]},depth32float:{gl:36012,dataFormat:6402,types:[5126],rb:!0},"depth24plus-stencil8":{gl:35056,rb:!0,depthTexture:!0,dataFormat:34041,types:[34042]},"depth32float-stencil8":{gl:36013,dataFormat:34041,types:[36269],rb:!0},"bc1-rgb-unorm-webgl":{gl:33776,x:_s},"bc1-rgb-unorm-srgb-webgl":{gl:35916,x:ys},"bc1-rgba-unorm":{gl:33777,x:_s},"bc1-rgba-unorm-srgb":{gl:35916,x:ys},"bc2-rgba-unorm":{gl:33778,x:_s},"bc2-rgba-unorm-srgb":{gl:35918,x:ys},"bc3-rgba-unorm":{gl:33779,x:_s},"bc3-rgba-unorm-srgb":{gl:35919,x:ys},"bc4-r-unorm":{gl:36283,x:mn},"bc4-r-snorm":{gl:36284,x:mn},"bc5-rg-unorm":{gl:36285,x:mn},"bc5-rg-snorm":{gl:36286,x:mn},"bc6h-rgb-ufloat":{gl:36495,x:_n},"bc6h-rgb-float":{gl:36494,x:_n},"bc7-rgba-unorm":{gl:36492,x:_n},"bc7-rgba-unorm-srgb":{gl:36493,x:_n},"etc2-rgb8unorm":{gl:37492},"etc2-rgb8unorm-srgb":{gl:37494},"etc2-rgb8a1unorm":{gl:37496},"etc2-rgb8a1unorm-srgb":{gl:37497},"etc2-rgba8unorm":{gl:37493},"etc2-rgba8unorm-srgb":{gl:37495},"eac-r11unorm":{gl:37488},"eac-r11snorm":{gl:37489},"eac-rg11unorm":{gl:37490},"eac-rg11snorm":{gl:37491},"astc-4x4-unorm":{gl:37808},"astc-4x4-unorm-srgb":{gl:37840},"astc-5x4-unorm":{gl:37809},"astc-5x4-unorm-srgb":{gl:37841},"astc-5x5-unorm":{gl:37810},"astc-5x5-unorm-srgb":{gl:37842},"astc-6x5-unorm":{gl:37811},"astc-6x5-unorm-srgb":{gl:37843},"astc-6x6-unorm":{gl:37812},"astc-6x6-unorm-srgb":{gl:37844},"astc-8x5-unorm":{gl:37813},"astc-8x5-unorm-srgb":{gl:37845},"astc-8x6-unorm":{gl:37814},"astc-8x6-unorm-srgb":{gl:37846},"astc-8x8-unorm":{gl:37815},"astc-8x8-unorm-srgb":{gl:37847},"astc-10x5-unorm":{gl:37816},"astc-10x5-unorm-srgb":{gl:37848},"astc-10x6-unorm":{gl:37817},"astc-10x6-unorm-srgb":{gl:37849},"astc-10x8-unorm":{gl:37818},"astc-10x8-unorm-srgb":{gl:37850},"astc-10x10-unorm":{gl:37819},"astc-10x10-unorm-srgb":{gl:37851},"astc-12x10-unorm":{gl:37820},"astc-12x10-unorm-srgb":{gl:37852},"astc-12x12-unorm":{gl:37821},"astc-12x12-unorm-srgb":{gl:37853},"pvrtc-rgb4unorm-webgl":{gl:35840},"pvrtc-rgba4unorm-webgl":{gl:35842},"pvrtc-rgb2unorm-webgl":{gl:35841},"pvrtc-rgba2unorm-webgl":{gl:35843},"etc1-rbg-unorm-webgl":{gl:36196},"atc-rgb-unorm-webgl":{gl:35986},"atc-rgba-unorm-webgl":{gl:35986},"atc-rgbai-unorm-webgl":{gl:34798}}});var cw,_l,lw=x(()=>{D();ms();yn();cw={"depth-clip-control":"EXT_depth_clamp","timestamp-query":"EXT_disjoint_timer_query_webgl2","compilation-status-async-webgl":"KHR_parallel_shader_compile","html-in-canvas":r=>fd()&&typeof r.texElementImage2D=="function","polygon-mode-webgl":"WEBGL_polygon_mode","provoking-vertex-webgl":"WEBGL_provoking_vertex","shader-clip-cull-distance-webgl":"WEBGL_clip_cull_distance","shader-noperspective-interpolation-webgl":"NV_shader_noperspective_interpolation","shader-conservative-depth-webgl":"EXT_conservative_depth"},_l=class extends io{gl;extensions;testedFeatures=new Set;constructor(e,t,i){super([],i),this.gl=e,this.extensions=t,gt(e,"EXT_color_buffer_float",t)}*[Symbol.iterator](){let e=this.getFeatures();for(let t of e)this.has(t)&&(yield t);return[]}has(e){return this.disabledFeatures?.[e]?!1:(this.testedFeatures.has(e)||(this.testedFeatures.add(e),nw(e)&&Fp(this.gl,e,this.extensions)&&this.features.add(e),this.getWebGLFeature(e)&&this.features.add(e)),this.features.has(e))}initializeFeatures(){let e=this.getFeatures().filter(t=>t!=="polygon-mode-webgl");for(let t of e)this.has(t)}getFeatures(){return[...Object.keys(cw),...Object.keys(pl)]}getWebGLFeature(e){let t=cw[e];return typeof t=="string"?!!gt(this.gl,t,this.extensions):typeof t=="function"?t(this.gl):!!t}}});var yl,fw=x(()=>{D();yl=class extends ro{get maxTextureDimension1D(){return 0}get maxTextureDimension2D(){return this.getParameter(3379)}get maxTextureDimension3D(){return this.getParameter(32883)}get maxTextureArrayLayers(){return this.getParameter(35071)}get maxBindGroups(){return 0}get maxBindGroupsPlusVertexBuffers(){return 0}get maxBindingsPerBindGroup(){return 0}get maxDynamicUniformBuffersPerPipelineLayout(){return 0}get maxDynamicStorageBuffersPerPipelineLayout(){return 0}get maxSampledTexturesPerShaderStage(){return this.getParameter(35660)}get maxSamplersPerShaderStage(){return this.getParameter(35661)}get maxStorageBuffersPerShaderStage(){return 0}get maxStorageBuffersInVertexStage(){return 0}get maxStorageBuffersInFragmentStage(){return 0}get maxStorageTexturesPerShaderStage(){return 0}get maxStorageTexturesInVertexStage(){return 0}get maxStorageTexturesInFragmentStage(){return 0}get maxUniformBuffersPerShaderStage(){return this.getParameter(35375)}get maxUniformBufferBindingSize(){return this.getParameter(35376)}get maxStorageBufferBindingSize(){return 0}get maxBufferSize(){return Number.MAX_SAFE_INTEGER}get minUniformBufferOffsetAlignment(){return this.getParameter(35380)}get minStorageBufferOffsetAlignment(){return 0}get maxVertexBuffers(){return 16}get maxVertexAttributes(){return this.getParameter(34921)}get maxVertexBufferArrayStride(){return 2048}get maxInterStageShaderVariables(){return this.getParameter(35659)}get maxColorAttachments(){return this.getParameter(36063)}get maxColorAttachmentBytesPerSample(){return 0}get maxComputeWorkgroupStorageSize(){return 0}get maxComputeInvocationsPerWorkgroup(){return 0}get maxComputeWorkgroupSizeX(){return 0}get maxComputeWorkgroupSizeY(){return 0}get maxComputeWorkgroupSizeZ(){return 0}get maxComputeWorkgroupsPerDimension(){return 0}gl;limits={};constructor(e){super(),this.gl=e}getParameter(e){return this.limits[e]===void 0&&(this.limits[e]=this.gl.getParameter(e)),this.limits[e]||0}}});function s4(r){return r<34069?r+34069:r}function a4(r){switch(r){case 36053:return"success";case 36054:return"Mismatched attachments";case 36055:return"No attachments";case 36057:return"Height/width mismatch";case 36061:return"Unsupported or split attachments";case 36182:return"Samples mismatch";default:return`${r}`}}var Dt,xl=x(()=>{D();yn();Dt=class extends $r{device;gl;handle;colorAttachments=[];depthStencilAttachment=null;constructor(e,t){super(e,t);let i=t.handle,n=i===null;this.device=e,this.gl=e.gl,this.handle=i||n?i:this.gl.createFramebuffer(),n||(e._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),t.handle||(this.autoCreateAttachmentTextures(),this.updateAttachments()))}destroy(){super.destroy(),!this.destroyed&&this.handle!==null&&!this.props.handle&&this.gl.deleteFramebuffer(this.handle)}updateAttachments(){let e=this.gl.bindFramebuffer(36160,this.handle);for(let t=0;t<this.colorAttachments.length;++t){let i=this.colorAttachments[t];if(i){let n=36064+t;this._attachTextureView(n,i)}}if(this.depthStencilAttachment){let t=aw(this.depthStencilAttachment.props.format);this._attachTextureView(t,this.depthStencilAttachment)}if(this.device.props.debug){let t=this.gl.checkFramebufferStatus(36160);if(t!==36053)throw new Error(`Framebuffer ${a4(t)}`)}this.gl.bindFramebuffer(36160,e)}_attachTextureView(e,t){let{gl:i}=this.device,{texture:n}=t,o=t.props.baseMipLevel,s=t.props.baseArrayLayer;switch(i.bindTexture(n.glTarget,n.handle),n.glTarget){case 35866:case 32879:i.framebufferTextureLayer(36160,e,n.handle,o,s);break;case 34067:let a=s4(s);i.framebufferTexture2D(36160,e,a,n.handle,o);break;case 3553:i.framebufferTexture2D(36160,e,3553,n.handle,o);break;default:throw new Error("Illegal texture type")}i.bindTexture(n.glTarget,null)}resizeAttachments(e,t){if(this.handle===null){this.width=e,this.height=t;return}super.resizeAttachments(e,t)}}});var bl,uw=x(()=>{D();xl();bl=class extends no{device;handle=null;_framebuffer=null;get[Symbol.toStringTag](){return"WebGLCanvasContext"}constructor(e,t){super(t),this.device=e,this._setAutoCreatedCanvasId(`${this.device.id}-canvas`),this._configureDevice()}_configureDevice(){(this.drawingBufferWidth!==this._framebuffer?.width||this.drawingBufferHeight!==this._framebuffer?.height)&&this._framebuffer?.resize([this.drawingBufferWidth,this.drawingBufferHeight])}_getCurrentFramebuffer(){return this._framebuffer||=new Dt(this.device,{id:"canvas-context-framebuffer",handle:null,width:this.drawingBufferWidth,height:this.drawingBufferHeight}),this._framebuffer}}});var vl,dw=x(()=>{D();vl=class extends oo{device;handle=null;context2d;get[Symbol.toStringTag](){return"WebGLPresentationContext"}constructor(e,t={}){super(t),this.device=e;let i=`${this[Symbol.toStringTag]}(${this.id})`;if(!this.device.getDefaultCanvasContext().offscreenCanvas)throw new Error(`${i}: WebGL PresentationContext requires the default CanvasContext canvas to be an OffscreenCanvas`);let o=this.canvas.getContext("2d");if(!o)throw new Error(`${i}: Failed to create 2d presentation context`);this.context2d=o,this._setAutoCreatedCanvasId(`${this.device.id}-presentation-canvas`),this._configureDevice(),this._startObservers()}present(){this._resizeDrawingBufferIfNeeded(),this.device.submit();let e=this.device.getDefaultCanvasContext(),[t,i]=e.getDrawingBufferSize();if(!(this.drawingBufferWidth===0||this.drawingBufferHeight===0||t===0||i===0||e.canvas.width===0||e.canvas.height===0)){if(t!==this.drawingBufferWidth||i!==this.drawingBufferHeight||e.canvas.width!==this.drawingBufferWidth||e.canvas.height!==this.drawingBufferHeight)throw new Error(`${this[Symbol.toStringTag]}(${this.id}): Default canvas context size ${t}x${i} does not match presentation size ${this.drawingBufferWidth}x${this.drawingBufferHeight}`);this.context2d.clearRect(0,0,this.drawingBufferWidth,this.drawingBufferHeight),this.context2d.drawImage(e.canvas,0,0)}}_configureDevice(){}_getCurrentFramebuffer(e){let t=this.device.getDefaultCanvasContext();return t.setDrawingBufferSize(this.drawingBufferWidth,this.drawingBufferHeight),t.getCurrentFramebuffer(e)}}});function hw(r="id"){zp[r]=zp[r]||1;let e=zp[r]++;return`${r}-${e}`}var zp,pw=x(()=>{zp={}});function c4(r){return r&F.INDEX?34963:r&F.VERTEX?34962:r&F.UNIFORM?35345:34962}function l4(r){return r&F.INDEX||r&F.VERTEX?35044:r&F.UNIFORM?35048:35044}var mt,wl=x(()=>{D();mt=class extends F{device;gl;handle;glTarget;glUsage;glIndexType=5123;byteLength=0;bytesUsed=0;constructor(e,t={}){super(e,t),this.device=e,this.gl=this.device.gl;let i=typeof t=="object"?t.handle:void 0;this.handle=i||this.gl.createBuffer(),e._setWebGLDebugMetadata(this.handle,this,{spector:{...this.props,data:typeof this.props.data}}),this.glTarget=c4(this.props.usage),this.glUsage=l4(this.props.usage),this.glIndexType=this.props.indexType==="uint32"?5125:5123,t.data?this._initWithData(t.data,t.byteOffset,t.byteLength):this._initWithByteLength(t.byteLength||0)}destroy(){!this.destroyed&&this.handle&&(this.removeStats(),this.props.handle?this.trackDeallocatedReferencedMemory("Buffer"):(this.trackDeallocatedMemory(),this.gl.deleteBuffer(this.handle)),this.destroyed=!0,this.handle=null)}_initWithData(e,t=0,i=e.byteLength+t){let n=this.glTarget;this.gl.bindBuffer(n,this.handle),this.gl.bufferData(n,i,this.glUsage),this.gl.bufferSubData(n,t,e),this.gl.bindBuffer(n,null),this.bytesUsed=i,this.byteLength=i,this._setDebugData(e,t,i),this.props.handle?this.trackReferencedMemory(i,"Buffer"):this.trackAllocatedMemory(i)}_initWithByteLength(e){let t=e;e===0&&(t=new Float32Array(0));let i=this.glTarget;return this.gl.bindBuffer(i,this.handle),this.gl.bufferData(i,t,this.glUsage),this.gl.bindBuffer(i,null),this.bytesUsed=e,this.byteLength=e,this._setDebugData(null,0,e),this.props.handle?this.trackReferencedMemory(e,"Buffer"):this.trackAllocatedMemory(e),this}write(e,t=0){let i=ArrayBuffer.isView(e)?e:new Uint8Array(e),n=0,o=void 0,s=36663;this.gl.bindBuffer(s,this.handle),n!==0||o!==void 0?this.gl.bufferSubData(s,t,i,n,o):this.gl.bufferSubData(s,t,i),this.gl.bindBuffer(s,null),this._setDebugData(e,t,e.byteLength)}async mapAndWriteAsync(e,t=0,i=this.byteLength-t){let n=new ArrayBuffer(i);await e(n,"copied"),this.write(n,t)}async readAsync(e=0,t){return this.readSyncWebGL(e,t)}async mapAndReadAsync(e,t=0,i){let n=await this.readAsync(t,i);return await e(n.buffer,"copied")}readSyncWebGL(e=0,t){t=t??this.byteLength-e;let i=new Uint8Array(t),n=0;return this.gl.bindBuffer(36662,this.handle),this.gl.getBufferSubData(36662,e,i,n,t),this.gl.bindBuffer(36662,null),this._setDebugData(i,e,t),i}}});function gw(r){let e=r.split(/\r?\n/),t=[];for(let i of e){if(i.length<=1)continue;let n=i.trim(),o=i.split(":"),s=o[0]?.trim();if(o.length===2){let[h,p]=o;if(!h||!p){t.push({message:n,type:Pl(s||"info"),lineNum:0,linePos:0});continue}t.push({message:p.trim(),type:Pl(h),lineNum:0,linePos:0});continue}let[a,c,l,...f]=o;if(!a||!c||!l){t.push({message:o.slice(1).join(":").trim()||n,type:Pl(s||"info"),lineNum:0,linePos:0});continue}let u=parseInt(l,10);Number.isNaN(u)&&(u=0);let d=parseInt(c,10);Number.isNaN(d)&&(d=0),t.push({message:f.join(":").trim(),type:Pl(a),lineNum:u,linePos:d})}return t}function Pl(r){let e=["warning","error","info"],t=r.toLowerCase();return e.includes(t)?t:"info"}var mw=x(()=>{});function f4(r){return r.split(/\r?\n/).find(e=>e.trim())?.trim()}var El,_w=x(()=>{D();mw();El=class extends Vr{device;handle;_compilationInfoLog="";constructor(e,t){super(e,t),this.device=e;let i=this.props.handle;switch(this.props.stage){case"vertex":this.handle=i||this.device.gl.createShader(35633);break;case"fragment":this.handle=i||this.device.gl.createShader(35632);break;default:throw new Error(this.props.stage)}e._setWebGLDebugMetadata(this.handle,this,{spector:this.props});let n=this._compile(this.source);n&&typeof n.catch=="function"&&n.catch(()=>{this.compilationStatus="error"})}destroy(){this.handle&&(this.removeStats(),this.device.gl.deleteShader(this.handle),this.destroyed=!0,this.handle.destroyed=!0)}get asyncCompilationStatus(){return this._waitForCompilationComplete().then(()=>(this._getCompilationStatus(),this.compilationStatus))}async getCompilationInfo(){return await this._waitForCompilationComplete(),this.getCompilationInfoSync()}getCompilationInfoSync(){let e=this._getCompilationInfoLog();return e?gw(e):[]}getTranslatedSource(){return this.device.getExtension("WEBGL_debug_shaders").WEBGL_debug_shaders?.getTranslatedShaderSource(this.handle)||null}_compile(e){e=e.startsWith("#version ")?e:`#version 300 es
${e}`;let{gl:t}=this.device;if(t.shaderSource(this.handle,e),t.compileShader(this.handle),!this.device.props.debug){this.compilationStatus="pending";return}if(!this.device.features.has("compilation-status-async-webgl")){if(this._getCompilationStatus(),this.debugShader(),this.compilationStatus==="error")throw new Error(this._getCompilationErrorMessage(e));return}return E.once(1,"Shader compilation is asynchronous")(),this._waitForCompilationComplete().then(()=>{E.info(2,`Shader ${this.id} - async compilation complete: ${this.compilationStatus}`)(),this._getCompilationStatus(),this.debugShader()})}async _waitForCompilationComplete(){let e=async n=>await new Promise(o=>setTimeout(o,n));if(!this.device.features.has("compilation-status-async-webgl")){await e(10);return}let{gl:i}=this.device;for(;;){if(i.getShaderParameter(this.handle,37297))return;await e(10)}}_getCompilationStatus(){this.compilationStatus=this.device.gl.getShaderParameter(this.handle,35713)?"success":"error",this.compilationStatus==="error"&&this._getCompilationInfoLog()}_getCompilationErrorMessage(e){let t=`${this.props.stage} shader ${this.props.id}`,i=f4(this._getCompilationInfoLog()),n=this.getCompilationInfoSync(),o=n.find(f=>f.type==="error"&&f.message.trim())||n.find(f=>f.message.trim())||n.find(f=>f.type==="error")||n[0];if(!o)return i?`GLSL compilation errors in ${t}: ${i}`:`GLSL compilation errors in ${t}: WebGL did not provide a shader compiler log`;let s=o.lineNum?e.split(/\r?\n/)[o.lineNum-1]?.trim():void 0,a=o.lineNum?` line ${o.lineNum}`:"",c=s?`
Source: ${s}`:"",l=o.message.trim()||i||"WebGL did not provide a shader compiler log";return`GLSL compilation errors in ${t}:${a}: ${l}${c}`}_getCompilationInfoLog(){let e=this.device.gl.getShaderInfoLog(this.handle)?.trim();return e&&(this._compilationInfoLog=e),this._compilationInfoLog}}});function xw(r,e,t,i){if(p4(e))return i(r);let n=r;n.pushState();try{return u4(r,e),ht(n.gl,t),i(r)}finally{n.popState()}}function u4(r,e){let t=r,{gl:i}=t;if(e.cullMode)switch(e.cullMode){case"none":i.disable(2884);break;case"front":i.enable(2884),i.cullFace(1028);break;case"back":i.enable(2884),i.cullFace(1029);break}if(e.frontFace&&i.frontFace(mi("frontFace",e.frontFace,{ccw:2305,cw:2304})),e.unclippedDepth&&r.features.has("depth-clip-control")&&i.enable(34383),e.depthBias!==void 0&&(i.enable(32823),i.polygonOffset(e.depthBias,e.depthBiasSlopeScale||0)),e.provokingVertex&&r.features.has("provoking-vertex-webgl")){let o=t.getExtension("WEBGL_provoking_vertex").WEBGL_provoking_vertex,s=mi("provokingVertex",e.provokingVertex,{first:36429,last:36430});o?.provokingVertexWEBGL(s)}if((e.polygonMode||e.polygonOffsetLine)&&r.features.has("polygon-mode-webgl")){if(e.polygonMode){let o=t.getExtension("WEBGL_polygon_mode").WEBGL_polygon_mode,s=mi("polygonMode",e.polygonMode,{fill:6914,line:6913});o?.polygonModeWEBGL(1028,s),o?.polygonModeWEBGL(1029,s)}e.polygonOffsetLine&&i.enable(10754)}if(r.features.has("shader-clip-cull-distance-webgl")&&(e.clipDistance0&&i.enable(12288),e.clipDistance1&&i.enable(12289),e.clipDistance2&&i.enable(12290),e.clipDistance3&&i.enable(12291),e.clipDistance4&&i.enable(12292),e.clipDistance5&&i.enable(12293),e.clipDistance6&&i.enable(12294),e.clipDistance7&&i.enable(12295)),e.depthWriteEnabled!==void 0&&i.depthMask(h4("depthWriteEnabled",e.depthWriteEnabled)),e.depthCompare&&(e.depthCompare!=="always"?i.enable(2929):i.disable(2929),i.depthFunc(Tl("depthCompare",e.depthCompare))),e.clearDepth!==void 0&&i.clearDepth(e.clearDepth),e.stencilWriteMask){let n=e.stencilWriteMask;i.stencilMaskSeparate(1028,n),i.stencilMaskSeparate(1029,n)}if(e.stencilReadMask&&E.warn("stencilReadMask not supported under WebGL"),e.stencilCompare){let n=e.stencilReadMask||4294967295,o=Tl("depthCompare",e.stencilCompare);e.stencilCompare!=="always"?i.enable(2960):i.disable(2960),i.stencilFuncSeparate(1028,o,0,n),i.stencilFuncSeparate(1029,o,0,n)}if(e.stencilPassOperation&&e.stencilFailOperation&&e.stencilDepthFailOperation){let n=Up("stencilPassOperation",e.stencilPassOperation),o=Up("stencilFailOperation",e.stencilFailOperation),s=Up("stencilDepthFailOperation",e.stencilDepthFailOperation);i.stencilOpSeparate(1028,o,s,n),i.stencilOpSeparate(1029,o,s,n)}switch(e.blend){case!0:i.enable(3042);break;case!1:i.disable(3042);break;default:}if(e.blendColorOperation||e.blendAlphaOperation){let n=yw("blendColorOperation",e.blendColorOperation||"add"),o=yw("blendAlphaOperation",e.blendAlphaOperation||"add");i.blendEquationSeparate(n,o);let s=Sl("blendColorSrcFactor",e.blendColorSrcFactor||"one"),a=Sl("blendColorDstFactor",e.blendColorDstFactor||"zero"),c=Sl("blendAlphaSrcFactor",e.blendAlphaSrcFactor||"one"),l=Sl("blendAlphaDstFactor",e.blendAlphaDstFactor||"zero");i.blendFuncSeparate(s,a,c,l)}}function Tl(r,e){return mi(r,e,{never:512,less:513,equal:514,"less-equal":515,greater:516,"not-equal":517,"greater-equal":518,always:519})}function Up(r,e){return mi(r,e,{keep:7680,zero:0,replace:7681,invert:5386,"increment-clamp":7682,"decrement-clamp":7683,"increment-wrap":34055,"decrement-wrap":34056})}function yw(r,e){return mi(r,e,{add:32774,subtract:32778,"reverse-subtract":32779,min:32775,max:32776})}function Sl(r,e,t="color"){return mi(r,e,{one:1,zero:0,src:768,"one-minus-src":769,dst:774,"one-minus-dst":775,"src-alpha":770,"one-minus-src-alpha":771,"dst-alpha":772,"one-minus-dst-alpha":773,"src-alpha-saturated":776,constant:t==="color"?32769:32771,"one-minus-constant":t==="color"?32770:32772,src1:768,"one-minus-src1":769,"src1-alpha":770,"one-minus-src1-alpha":771})}function d4(r,e){return`Illegal parameter ${e} for ${r}`}function mi(r,e,t){if(!(e in t))throw new Error(d4(r,e));return t[e]}function h4(r,e){return e}function p4(r){let e=!0;for(let t in r){e=!1;break}return e}var Gp=x(()=>{D();gn()});function Ll(r){let e={};return r.addressModeU&&(e[10242]=Vp(r.addressModeU)),r.addressModeV&&(e[10243]=Vp(r.addressModeV)),r.addressModeW&&(e[32882]=Vp(r.addressModeW)),r.magFilter&&(e[10240]=$p(r.magFilter)),(r.minFilter||r.mipmapFilter)&&(e[10241]=g4(r.minFilter||"linear",r.mipmapFilter)),r.lodMinClamp!==void 0&&(e[33082]=r.lodMinClamp),r.lodMaxClamp!==void 0&&(e[33083]=r.lodMaxClamp),r.type==="comparison-sampler"&&(e[34892]=34894),r.compare&&(e[34893]=Tl("compare",r.compare)),r.maxAnisotropy&&(e[34046]=r.maxAnisotropy),e}function Vp(r){switch(r){case"clamp-to-edge":return 33071;case"repeat":return 10497;case"mirror-repeat":return 33648}}function $p(r){switch(r){case"nearest":return 9728;case"linear":return 9729}}function g4(r,e="none"){if(!e)return $p(r);switch(e){case"none":return $p(r);case"nearest":switch(r){case"nearest":return 9984;case"linear":return 9985}break;case"linear":switch(r){case"nearest":return 9986;case"linear":return 9987}}}var Wp=x(()=>{Gp()});var Cl,bw=x(()=>{D();Wp();Cl=class extends Ur{device;handle;parameters;constructor(e,t){super(e,t),this.device=e,this.parameters=Ll(t),this.handle=t.handle||this.device.gl.createSampler(),this._setSamplerParameters(this.parameters)}destroy(){this.handle&&(this.device.gl.deleteSampler(this.handle),this.handle=void 0)}toString(){return`Sampler(${this.id},${JSON.stringify(this.props)})`}_setSamplerParameters(e){for(let[t,i]of Object.entries(e)){let n=Number(t);switch(n){case 33082:case 33083:this.device.gl.samplerParameterf(this.handle,n,i);break;default:this.device.gl.samplerParameteri(this.handle,n,i);break}}}}});function _t(r,e,t){if(m4(e))return t(r);let{nocatch:i=!0}=e,n=pt.get(r);n.push(),ht(r,e);let o;if(i)o=t(r),n.pop();else try{o=t(r)}finally{n.pop()}return o}function m4(r){for(let e in r)return!1;return!0}var Al=x(()=>{gn();Ip()});var kt,jp=x(()=>{D();kt=class extends Gr{device;gl;handle;texture;constructor(e,t){super(e,{...V.defaultProps,...t}),this.device=e,this.gl=this.device.gl,this.handle=null,this.texture=t.texture}}});function Ml(r){return _4[r]}var _4,Hp=x(()=>{_4={5124:"sint32",5125:"uint32",5122:"sint16",5123:"uint16",5120:"sint8",5121:"uint8",5126:"float32",5131:"float16",33635:"uint16",32819:"uint16",32820:"uint16",33640:"uint32",35899:"uint32",35902:"uint32",34042:"uint32",36269:"uint32"}});function y4(r,e=0){return e?new r.constructor(r.buffer,r.byteOffset+e,(r.byteLength-e)/r.BYTES_PER_ELEMENT):r}function x4(r,e){if(e%r.BYTES_PER_ELEMENT!==0)throw new Error(`Texture byteOffset ${e} must align to typed array element size ${r.BYTES_PER_ELEMENT}`);return e/r.BYTES_PER_ELEMENT}function b4(r){switch(r){case"1d":break;case"2d":return 3553;case"3d":return 32879;case"cube":return 34067;case"2d-array":return 35866;case"cube-array":break}throw new Error(r)}function xs(r,e,t){return e==="cube"?34069+t:r}var Nt,Il=x(()=>{D();yn();Wp();Al();jp();Hp();Nt=class extends V{device;gl;handle;sampler=void 0;view;glTarget;glFormat;glType;glInternalFormat;compressed;_textureUnit=0;_framebuffer=null;_framebufferAttachmentKey=null;constructor(e,t){super(e,t,{byteAlignment:1}),this.device=e,this.gl=this.device.gl;let i=ml(this.props.format);if(this.glTarget=b4(this.props.dimension),this.glInternalFormat=i.internalFormat,this.glFormat=i.format,this.glType=i.type,this.compressed=i.compressed,this.isHandleBorrowed&&this.props.handle===void 0)throw new Error("Borrowed WebGL textures require a texture handle");if(this.handle=this.props.handle||this.gl.createTexture(),this.device._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),!this.isHandleBorrowed){this.gl.bindTexture(this.glTarget,this.handle);let{dimension:n,width:o,height:s,depth:a,mipLevels:c,glTarget:l,glInternalFormat:f}=this;if(!this.compressed)switch(n){case"2d":case"cube":this.gl.texStorage2D(l,c,f,o,s);break;case"2d-array":case"3d":this.gl.texStorage3D(l,c,f,o,s,a);break;default:throw new Error(n)}this.gl.bindTexture(this.glTarget,null),this._initializeData(t.data)}this.ownsHandle?this.trackAllocatedMemory(this.getAllocatedByteLength(),"Texture"):this.trackReferencedMemory(this.getAllocatedByteLength(),"Texture"),this.isHandleBorrowed||this.setSampler(this.props.sampler),this.view=new kt(this.device,{...this.props,texture:this}),Object.seal(this)}destroy(){this.handle&&(this._framebuffer?.destroy(),this._framebuffer=null,this._framebufferAttachmentKey=null,this.removeStats(),this.ownsHandle?(this.gl.deleteTexture(this.handle),this.trackDeallocatedMemory("Texture")):this.trackDeallocatedReferencedMemory("Texture"),this.destroyed=!0)}createView(e){return new kt(this.device,{...e,texture:this})}clone(e){if(this.isHandleBorrowed&&e&&(e.width!==this.width||e.height!==this.height))throw new Error(`Cannot resize borrowed read-only ${this}`);return super.clone(e)}setSampler(e={}){this._assertWritable("set sampler parameters on"),super.setSampler(e);let t=Ll(this.sampler.props);this._setSamplerParameters(t)}copyExternalImage(e){this._assertWritable("copy external image data into");let t=this._normalizeCopyExternalImageOptions(e);if(t.sourceX||t.sourceY)throw new Error("WebGL does not support sourceX/sourceY)");let{glFormat:i,glType:n}=this,{image:o,depth:s,mipLevel:a,x:c,y:l,z:f,width:u,height:d}=t,h=xs(this.glTarget,this.dimension,f),p=t.flipY?{37440:!0}:{};return this.gl.bindTexture(this.glTarget,this.handle),_t(this.gl,p,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(h,a,c,l,u,d,i,n,o);break;case"2d-array":case"3d":this.gl.texSubImage3D(h,a,c,l,f,u,d,s,i,n,o);break;default:}}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyElementImage(e){this._assertWritable("copy element image data into");let t=this._normalizeCopyElementImageOptions(e),{glFormat:i}=this,{element:n,depth:o,mipLevel:s,sourceX:a,sourceY:c,sourceWidth:l,sourceHeight:f,x:u,y:d,z:h,width:p,height:g}=t,m=xs(this.glTarget,this.dimension,h),y=t.flipY?{37440:!0}:{},v=this.gl;if(o!==1||this.dimension!=="2d"&&this.dimension!=="cube")throw new Error(`${this} copyElementImage only supports 2d and cube textures on WebGL`);if(s!==0||u!==0||d!==0)throw new Error(`${this} copyElementImage only supports full base-level uploads on WebGL`);if(typeof v.texElementImage2D!="function")throw new Error(`${this} copyElementImage is not supported by this WebGL implementation`);return this.gl.bindTexture(this.glTarget,this.handle),_t(this.gl,y,()=>{v.texElementImage2D?.(m,i,n,{sx:a,sy:c,swidth:l??p,sheight:f??g,width:p,height:g})}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyImageData(e){super.copyImageData(e)}readBuffer(e={},t){if(!t)throw new Error(`${this} readBuffer requires a destination buffer`);let i=this._getSupportedColorReadOptions(e),n=e.byteOffset??0,o=this.computeMemoryLayout(i);if(t.byteLength<n+o.byteLength)throw new Error(`${this} readBuffer target is too small (${t.byteLength} < ${n+o.byteLength})`);let s=t;this.gl.bindBuffer(35051,s.handle);try{this._readColorTextureLayers(i,o,a=>{this.gl.readPixels(i.x,i.y,i.width,i.height,this.glFormat,this.glType,n+a)})}finally{this.gl.bindBuffer(35051,null)}return t}async readDataAsync(e={}){throw new Error(`${this} readDataAsync is deprecated; use readBuffer() with an explicit destination buffer or DynamicTexture.readAsync()`)}writeBuffer(e,t={}){this._assertWritable("write buffer data into");let i=this._normalizeTextureWriteOptions(t),{width:n,height:o,depthOrArrayLayers:s,mipLevel:a,byteOffset:c,x:l,y:f,z:u}=i,{glFormat:d,glType:h,compressed:p}=this,g=xs(this.glTarget,this.dimension,u);if(p)throw new Error("writeBuffer for compressed textures is not implemented in WebGL");let{bytesPerPixel:m}=this.device.getTextureFormatInfo(this.format),y=m?i.bytesPerRow/m:void 0,v={3317:this.byteAlignment,...y!==void 0?{3314:y}:{},32878:i.rowsPerImage};this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,e.handle),_t(this.gl,v,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(g,a,l,f,n,o,d,h,c);break;case"2d-array":case"3d":this.gl.texSubImage3D(g,a,l,f,u,n,o,s,d,h,c);break;default:}}),this.gl.bindBuffer(35052,null),this.gl.bindTexture(this.glTarget,null)}writeData(e,t={}){this._assertWritable("write data into");let i=this._normalizeTextureWriteOptions(t),n=ArrayBuffer.isView(e)?e:new Uint8Array(e),{width:o,height:s,depthOrArrayLayers:a,mipLevel:c,x:l,y:f,z:u,byteOffset:d}=i,{glFormat:h,glType:p,compressed:g}=this,m=xs(this.glTarget,this.dimension,u),y;if(!g){let{bytesPerPixel:L}=this.device.getTextureFormatInfo(this.format);L&&(y=i.bytesPerRow/L)}let v=this.compressed?{}:{3317:this.byteAlignment,...y!==void 0?{3314:y}:{},32878:i.rowsPerImage},_=x4(n,d),b=g?y4(n,d):n,w=this._getMipLevelSize(c),P=l===0&&f===0&&u===0&&o===w.width&&s===w.height&&a===w.depthOrArrayLayers;this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,null),_t(this.gl,v,()=>{switch(this.dimension){case"2d":case"cube":g?P?this.gl.compressedTexImage2D(m,c,h,o,s,0,b):this.gl.compressedTexSubImage2D(m,c,l,f,o,s,h,b):this.gl.texSubImage2D(m,c,l,f,o,s,h,p,n,_);break;case"2d-array":case"3d":g?P?this.gl.compressedTexImage3D(m,c,h,o,s,a,0,b):this.gl.compressedTexSubImage3D(m,c,l,f,u,o,s,a,h,b):this.gl.texSubImage3D(m,c,l,f,u,o,s,a,h,p,n,_);break;default:}}),this.gl.bindTexture(this.glTarget,null)}_getRowByteAlignment(e,t){return 1}_getFramebuffer(){return this._framebuffer||=this.device.createFramebuffer({id:`framebuffer-for-${this.id}`,width:this.width,height:this.height,colorAttachments:[this]}),this._framebuffer}readDataSyncWebGL(e={}){let t=this._getSupportedColorReadOptions(e),i=this.computeMemoryLayout(t),n=Ml(this.glType),o=zr(n),s=new o(i.byteLength/o.BYTES_PER_ELEMENT);return this._readColorTextureLayers(t,i,a=>{let c=new o(s.buffer,s.byteOffset+a,i.bytesPerImage/o.BYTES_PER_ELEMENT);this.gl.readPixels(t.x,t.y,t.width,t.height,this.glFormat,this.glType,c)}),s.buffer}_readColorTextureLayers(e,t,i){let n=this._getFramebuffer(),o=t.bytesPerRow/t.bytesPerPixel,s={3333:this.byteAlignment,...o!==e.width?{3330:o}:{}},a=this.gl.getParameter(3074),c=this.gl.bindFramebuffer(36160,n.handle);try{this.gl.readBuffer(36064),_t(this.gl,s,()=>{for(let l=0;l<e.depthOrArrayLayers;l++)this._attachReadSubresource(n,e.mipLevel,e.z+l),i(l*t.bytesPerImage)})}finally{this.gl.bindFramebuffer(36160,c||null),this.gl.readBuffer(a)}}_attachReadSubresource(e,t,i){let n=`${t}:${i}`;if(this._framebufferAttachmentKey!==n){switch(this.dimension){case"2d":this.gl.framebufferTexture2D(36160,36064,3553,this.handle,t);break;case"cube":this.gl.framebufferTexture2D(36160,36064,xs(this.glTarget,this.dimension,i),this.handle,t);break;case"2d-array":case"3d":this.gl.framebufferTextureLayer(36160,36064,this.handle,t,i);break;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}if(this.device.props.debug){let o=Number(this.gl.checkFramebufferStatus(36160));if(o!==36053)throw new Error(`${e} incomplete for ${this} readback (${o})`)}this._framebufferAttachmentKey=n}}generateMipmapsWebGL(e){if(this._assertWritable("generate mipmaps for"),!(!(this.device.isTextureFormatRenderable(this.props.format)&&this.device.isTextureFormatFilterable(this.props.format))&&(E.warn(`${this} is not renderable or filterable, may not be able to generate mipmaps`)(),!e?.force)))try{this.gl.bindTexture(this.glTarget,this.handle),this.gl.generateMipmap(this.glTarget)}catch(i){E.warn(`Error generating mipmap for ${this}: ${i.message}`)()}finally{this.gl.bindTexture(this.glTarget,null)}}_setSamplerParameters(e){E.level>=2&&E.log(2,`${this.id} sampler parameters`,this.device.getGLKeys(e))(),this.gl.bindTexture(this.glTarget,this.handle);for(let[t,i]of Object.entries(e)){let n=Number(t),o=i;switch(n){case 33082:case 33083:this.gl.texParameterf(this.glTarget,n,o);break;case 10240:case 10241:this.gl.texParameteri(this.glTarget,n,o);break;case 10242:case 10243:case 32882:this.gl.texParameteri(this.glTarget,n,o);break;case 34046:this.device.features.has("texture-filterable-anisotropic-webgl")&&this.gl.texParameteri(this.glTarget,n,o);break;case 34892:case 34893:this.gl.texParameteri(this.glTarget,n,o);break}}this.gl.bindTexture(this.glTarget,null)}_getActiveUnit(){return this.gl.getParameter(34016)-33984}_bind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,this.handle),e}_unbind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,null),e}_assertWritable(e){if(this.isHandleBorrowed)throw new Error(`Cannot ${e} borrowed read-only ${this}`)}}});function vw(r,e,t,i){let n=r,o=i;o===!0&&(o=1),o===!1&&(o=0);let s=typeof o=="number"?[o]:o;switch(t){case 35678:case 35680:case 35679:case 35682:case 36289:case 36292:case 36293:case 36298:case 36299:case 36300:case 36303:case 36306:case 36307:case 36308:case 36311:if(typeof i!="number")throw new Error("samplers must be set to integers");return r.uniform1i(e,i);case 5126:return r.uniform1fv(e,s);case 35664:return r.uniform2fv(e,s);case 35665:return r.uniform3fv(e,s);case 35666:return r.uniform4fv(e,s);case 5124:return r.uniform1iv(e,s);case 35667:return r.uniform2iv(e,s);case 35668:return r.uniform3iv(e,s);case 35669:return r.uniform4iv(e,s);case 35670:return r.uniform1iv(e,s);case 35671:return r.uniform2iv(e,s);case 35672:return r.uniform3iv(e,s);case 35673:return r.uniform4iv(e,s);case 5125:return n.uniform1uiv(e,s,1);case 36294:return n.uniform2uiv(e,s,2);case 36295:return n.uniform3uiv(e,s,3);case 36296:return n.uniform4uiv(e,s,4);case 35674:return r.uniformMatrix2fv(e,!1,s);case 35675:return r.uniformMatrix3fv(e,!1,s);case 35676:return r.uniformMatrix4fv(e,!1,s);case 35685:return n.uniformMatrix2x3fv(e,!1,s);case 35686:return n.uniformMatrix2x4fv(e,!1,s);case 35687:return n.uniformMatrix3x2fv(e,!1,s);case 35688:return n.uniformMatrix3x4fv(e,!1,s);case 35689:return n.uniformMatrix4x2fv(e,!1,s);case 35690:return n.uniformMatrix4x3fv(e,!1,s)}throw new Error("Illegal uniform")}var ww=x(()=>{});function Pw(r){return w4[r]}function Rl(r){return v4[r]}function Ol(r){return!!Sw[r]}function Ew(r){return Sw[r]}var v4,Sw,w4,Bl=x(()=>{v4={5126:"f32",35664:"vec2<f32>",35665:"vec3<f32>",35666:"vec4<f32>",5124:"i32",35667:"vec2<i32>",35668:"vec3<i32>",35669:"vec4<i32>",5125:"u32",36294:"vec2<u32>",36295:"vec3<u32>",36296:"vec4<u32>",35670:"f32",35671:"vec2<f32>",35672:"vec3<f32>",35673:"vec4<f32>",35674:"mat2x2<f32>",35685:"mat2x3<f32>",35686:"mat2x4<f32>",35687:"mat3x2<f32>",35675:"mat3x3<f32>",35688:"mat3x4<f32>",35689:"mat4x2<f32>",35690:"mat4x3<f32>",35676:"mat4x4<f32>"},Sw={35678:{viewDimension:"2d",sampleType:"float"},35680:{viewDimension:"cube",sampleType:"float"},35679:{viewDimension:"3d",sampleType:"float"},35682:{viewDimension:"3d",sampleType:"depth"},36289:{viewDimension:"2d-array",sampleType:"float"},36292:{viewDimension:"2d-array",sampleType:"depth"},36293:{viewDimension:"cube",sampleType:"float"},36298:{viewDimension:"2d",sampleType:"sint"},36299:{viewDimension:"3d",sampleType:"sint"},36300:{viewDimension:"cube",sampleType:"sint"},36303:{viewDimension:"2d-array",sampleType:"uint"},36306:{viewDimension:"2d",sampleType:"uint"},36307:{viewDimension:"3d",sampleType:"uint"},36308:{viewDimension:"cube",sampleType:"uint"},36311:{viewDimension:"2d-array",sampleType:"uint"}},w4={uint8:5121,sint8:5120,unorm8:5121,snorm8:5120,uint16:5123,sint16:5122,unorm16:5123,snorm16:5122,uint32:5125,sint32:5124,float16:5131,float32:5126}});function Lw(r,e,t={}){let i={attributes:[],bindings:[]};i.attributes=P4(r,e);let n=T4(r,e,t);for(let c of n){let l=c.uniforms.map(f=>({name:f.name,format:f.format,byteOffset:f.byteOffset,byteStride:f.byteStride,arrayLength:f.arrayLength}));i.bindings.push({type:"uniform",name:c.name,group:0,location:c.location,visibility:(c.vertex?1:0)|(c.fragment?2:0),minBindingSize:c.byteLength,uniforms:l})}let o=S4(r,e),s=0;for(let c of o)if(Ol(c.type)){let{viewDimension:l,sampleType:f}=Ew(c.type);i.bindings.push({type:"texture",name:c.name,group:0,location:s,viewDimension:l,sampleType:f}),c.textureUnit=s,s+=1}o.length&&(i.uniforms=o);let a=E4(r,e);return a?.length&&(i.varyings=a),i}function P4(r,e){let t=[],i=r.getProgramParameter(e,35721);for(let n=0;n<i;n++){let o=r.getActiveAttrib(e,n);if(!o)throw new Error("activeInfo");let{name:s,type:a}=o,c=r.getAttribLocation(e,s);if(c>=0){let l=Rl(a),f=/instance/i.test(s)?"instance":"vertex";t.push({name:s,location:c,stepMode:f,type:l})}}return t.sort((n,o)=>n.location-o.location),t}function E4(r,e){let t=[],i=r.getProgramParameter(e,35971);for(let n=0;n<i;n++){let o=r.getTransformFeedbackVarying(e,n);if(!o)throw new Error("activeInfo");let{name:s,type:a,size:c}=o,l=Rl(a),{type:f,components:u}=ki(l);t.push({location:n,name:s,type:f,size:c*u})}return t.sort((n,o)=>n.location-o.location),t}function S4(r,e){let t=[],i=r.getProgramParameter(e,35718);for(let n=0;n<i;n++){let o=r.getActiveUniform(e,n);if(!o)throw new Error("activeInfo");let{name:s,size:a,type:c}=o,{name:l,isArray:f}=O4(s),u=r.getUniformLocation(e,l),d={location:u,name:l,size:a,type:c,isArray:f};if(t.push(d),d.size>1)for(let h=0;h<d.size;h++){let p=`${l}[${h}]`;u=r.getUniformLocation(e,p);let g={...d,name:p,location:u};t.push(g)}}return t}function T4(r,e,t){let i=[],n=C4(r,e,t);for(let[s,a]of n){i.push(a);try{let c=Tw(r,e,s,a.name);L4(c,a)}catch(c){let l=c instanceof Error?c.message:String(c);E.once(0,`WebGL uniform block reflection failed for "${a.name}"; using supplied std140 metadata. ${l}`)()}}let o=r.getProgramParameter(e,35382);if(!Number.isInteger(o)||o<0)throw new Error(`Failed to reflect WebGL uniform blocks: ACTIVE_UNIFORM_BLOCKS returned ${String(o)}`);for(let s=0;s<o;s++)n.has(s)||i.push(Tw(r,e,s));return i.sort((s,a)=>s.location-a.location),i}function L4(r,e){for(let t of r.uniforms){let i=e.uniforms.find(n=>t.name===n.name||t.name.endsWith(`.${n.name}`));if(!i)throw new Error(`Failed to validate WebGL uniform block "${e.name}": reflected unexpected member "${t.name}"`);if(t.format!==i.format||t.arrayLength!==i.arrayLength||t.byteOffset!==i.byteOffset||t.byteStride!==i.byteStride)throw new Error(`Failed to validate WebGL uniform block "${e.name}": reflected layout for "${t.name}" does not match supplied std140 metadata`)}}function C4(r,e,t){let i=new Map;for(let o of t.uniformBlockLayouts||[])i.set(o.name,M4(o));for(let o of t.shaderLayout?.bindings||[])R4(o)&&i.set(o.name,o);let n=new Map;for(let o of i.values()){let s=A4(r,e,o.name);if(!s)continue;let{blockIndex:a,blockName:c}=s;if(n.has(a))throw new Error(`Multiple supplied uniform block layouts resolve to active WebGL block "${c}"`);n.set(a,{name:c,location:a,byteLength:o.minBindingSize,vertex:!!(o.visibility&&o.visibility&1),fragment:!!(o.visibility&&o.visibility&2),uniformCount:o.uniforms.length,uniforms:o.uniforms.map(l=>({...l}))})}return n}function A4(r,e,t){let i=t.endsWith("Uniforms")?[t,t.slice(0,-8)]:[t,`${t}Uniforms`];for(let n of i){let o=r.getUniformBlockIndex(e,n);if(o!==4294967295){if(!Number.isInteger(o)||o<0)throw new Error(`Failed to resolve WebGL uniform block "${n}": getUniformBlockIndex returned ${String(o)}`);return{blockIndex:o,blockName:n}}}return null}function Tw(r,e,t,i){let n=i||r.getActiveUniformBlockName(e,t);if(!n)throw new Error(`Failed to reflect WebGL uniform block at index ${t}: missing block name`);let o=(_,b)=>{let w=r.getActiveUniformBlockParameter(e,t,_);if(w==null)throw new Error(`Failed to reflect WebGL uniform block "${n}": ${b} returned null`);return w},s=_i(o(35391,"UNIFORM_BLOCK_BINDING"),n,"UNIFORM_BLOCK_BINDING",0),a=_i(o(35392,"UNIFORM_BLOCK_DATA_SIZE"),n,"UNIFORM_BLOCK_DATA_SIZE",0),c=_i(o(35394,"UNIFORM_BLOCK_ACTIVE_UNIFORMS"),n,"UNIFORM_BLOCK_ACTIVE_UNIFORMS",0),l=Cw(o(35395,"UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES"),n,"UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES",c),f=bs(r,e,l,35383,"UNIFORM_TYPE",n,c),u=bs(r,e,l,35384,"UNIFORM_SIZE",n,c),d=bs(r,e,l,35386,"UNIFORM_BLOCK_INDEX",n,c),h=bs(r,e,l,35387,"UNIFORM_OFFSET",n,c),p=bs(r,e,l,35388,"UNIFORM_ARRAY_STRIDE",n,c),g=[];for(let _=0;_<c;_++){if(d[_]!==t)throw new Error(`Failed to reflect WebGL uniform block "${n}": active uniform index ${l[_]} belongs to block ${d[_]}, expected ${t}`);let b=l[_],w=r.getActiveUniform(e,b);if(!w)throw new Error(`Failed to reflect WebGL uniform block "${n}": getActiveUniform(${b}) returned null`);let P=_i(f[_],n,`UNIFORM_TYPE[${_}]`,1),L=_i(u[_],n,`UNIFORM_SIZE[${_}]`,1),T=_i(h[_],n,`UNIFORM_OFFSET[${_}]`,0),C=_i(p[_],n,`UNIFORM_ARRAY_STRIDE[${_}]`,0);if(w.type!==P||w.size!==L)throw new Error(`Failed to reflect WebGL uniform block "${n}": getActiveUniform(${b}) disagrees with getActiveUniforms`);g.push({name:w.name,format:Rl(P),arrayLength:L,byteOffset:T,byteStride:C})}let m={name:n,location:s,byteLength:a,vertex:!!o(35396,"UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER"),fragment:!!o(35398,"UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER"),uniformCount:c,uniforms:g},y=new Set(m.uniforms.map(_=>_.name.split(".")[0]).filter(_=>!!_)),v=m.name.replace(/Uniforms$/,"");if(y.size===1&&!y.has(m.name)&&!y.has(v)){let[_]=y;E.warn(`Uniform block "${m.name}" uses GLSL instance "${_}". luma.gl binds uniform buffers by block name ("${m.name}") and alias ("${v}"). Prefer matching the instance name to one of those to avoid confusing silent mismatches.`)()}return m}function bs(r,e,t,i,n,o,s){let a=r.getActiveUniforms(e,t,i);if(a===null)throw new Error(`Failed to reflect WebGL uniform block "${o}": ${n} returned null`);return Cw(a,o,n,s)}function Cw(r,e,t,i){if(!Array.isArray(r)&&!ArrayBuffer.isView(r))throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned a non-array value`);let n=Array.from(r);if(n.length!==i||n.some(o=>!Number.isInteger(o)))throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned ${n.length} invalid values, expected ${i}`);return n}function _i(r,e,t,i){if(!Number.isInteger(r)||r<i)throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned ${String(r)}`);return r}function M4(r){let e=Yr(r.uniformTypes,{layout:"std140"}),t=I4(r.uniformTypes,e.fields);return{type:"uniform",name:r.name,group:0,location:0,minBindingSize:e.byteLength,uniforms:t}}function I4(r,e){let t=[],i=(o,s)=>{if(typeof s=="string"){let a=e[o];if(!a)throw new Error(`Missing std140 layout field ${o}`);t.push({name:o,format:a.shaderType,arrayLength:1,byteOffset:a.offset*4,byteStride:0});return}if(Array.isArray(s)){n(o,s[0],s[1]);return}for(let[a,c]of Object.entries(s))i(`${o}.${a}`,c)},n=(o,s,a)=>{if(typeof s=="string"){let c=e[`${o}[0]`],l=a>1?e[`${o}[1]`]:void 0;if(!c)throw new Error(`Missing std140 array layout field ${o}[0]`);t.push({name:`${o}[0]`,format:c.shaderType,arrayLength:a,byteOffset:c.offset*4,byteStride:l?(l.offset-c.offset)*4:0});return}if(Array.isArray(s))throw new Error(`Nested uniform arrays are not supported for ${o}`);for(let[c,l]of Object.entries(s)){if(typeof l!="string")throw new Error(`Composite uniform array members are not supported for ${o}`);let f=`${o}[0].${c}`,u=`${o}[1].${c}`,d=e[f],h=a>1?e[u]:void 0;if(!d)throw new Error(`Missing std140 array layout field ${f}`);t.push({name:f,format:d.shaderType,arrayLength:a,byteOffset:d.offset*4,byteStride:h?(h.offset-d.offset)*4:0})}};for(let[o,s]of Object.entries(r))i(o,s);return t}function R4(r){return r.type==="uniform"&&Number.isInteger(r.minBindingSize)&&r.minBindingSize>=0&&Array.isArray(r.uniforms)&&r.uniforms.every(e=>typeof e.name=="string"&&typeof e.format=="string"&&Number.isInteger(e.arrayLength)&&e.arrayLength>0&&Number.isInteger(e.byteOffset)&&e.byteOffset>=0&&Number.isInteger(e.byteStride)&&e.byteStride>=0)}function O4(r){if(r[r.length-1]!=="]")return{name:r,length:1,isArray:!1};let t=/([^[]*)(\[[0-9]+\])?/.exec(r);return{name:lr(t?.[1],`Failed to parse GLSL uniform name ${r}`),length:t?.[2]?1:0,isArray:!!t?.[2]}}var Aw=x(()=>{D();Bl()});function B4(r,e){let t={...r,attributes:r.attributes.map(i=>({...i})),bindings:r.bindings.map(i=>({...i}))};for(let i of e?.attributes||[]){let n=t.attributes.find(o=>o.name===i.name);n?(n.type=i.type||n.type,n.stepMode=i.stepMode||n.stepMode):E.warn(`shader layout attribute ${i.name} not present in shader`)}for(let i of e?.bindings||[]){let n=Iw(t,i.name);if(!n){E.warn(`shader layout binding ${i.name} not present in shader`);continue}Object.assign(n,i)}return t}function Iw(r,e){return r.bindings.find(t=>t.name===e||t.name===`${e}Uniforms`||`${t.name}Uniforms`===e)}function Mw(r,e){return r[e]||r[`${e}Uniforms`]||r[e.replace(/Uniforms$/,"")]}var Dl,Rw=x(()=>{D();ww();wl();xl();Il();jp();Aw();Dl=class extends Ke{device;handle;vs;fs;introspectedLayout;bindings={};uniforms={};varyings=null;_uniformCount=0;_uniformSetters={};get[Symbol.toStringTag](){return"WEBGLRenderPipeline"}constructor(e,t){super(e,t),this.device=e;let i=this.sharedRenderPipeline||this.device._createSharedRenderPipelineWebGL(t);this.sharedRenderPipeline=i,this.handle=i.handle,this.vs=i.vs,this.fs=i.fs,this.linkStatus=i.linkStatus,this.introspectedLayout=Lw(this.device.gl,this.handle,{uniformBlockLayouts:t._uniformBlockLayouts,shaderLayout:t.shaderLayout}),this.device._setWebGLDebugMetadata(this.handle,this,{spector:{id:this.props.id}}),this.shaderLayout=t.shaderLayout?B4(this.introspectedLayout,t.shaderLayout):this.introspectedLayout}destroy(){this.destroyed||(this.sharedRenderPipeline&&!this.props._sharedRenderPipeline&&this.sharedRenderPipeline.destroy(),this.destroyResource())}setBindings(e,t){let i=Di(Hr(this.shaderLayout,e));for(let[n,o]of Object.entries(i)){let s=Iw(this.shaderLayout,n);if(s){switch(o||E.warn(`Unsetting binding "${n}" in render pipeline "${this.id}"`)(),s.type){case"uniform":if(!(o instanceof mt)&&!(o.buffer instanceof mt))throw new Error("buffer value");break;case"texture":if(!(o instanceof kt||o instanceof Nt||o instanceof Dt))throw new Error(`${this} Bad texture binding for ${n}`);break;case"sampler":E.warn(`Ignoring sampler ${n}`)();break;default:throw new Error(s.type)}this.bindings[n]=o}else{let a=this.shaderLayout.bindings.map(c=>`"${c.name}"`).join(", ");t?.disableWarnings||E.warn(`No binding "${n}" in render pipeline "${this.id}", expected one of ${a}`,o)()}}}draw(e){let t=e.renderPass,i=e.bindGroups?Di(e.bindGroups):e.bindings||this.bindings;return t.setPipeline(this),t.setBindings(i),t.setVertexArray(e.vertexArray),t.draw({parameters:e.parameters,topology:e.topology,isInstanced:e.isInstanced,vertexCount:e.vertexCount,indexCount:e.indexCount,instanceCount:e.instanceCount,firstVertex:e.firstVertex,firstIndex:e.firstIndex,firstInstance:e.firstInstance,baseVertex:e.baseVertex,transformFeedback:e.transformFeedback,uniforms:e.uniforms})}_areTexturesRenderable(e){let t=!0;for(let i of this.shaderLayout.bindings)Mw(e,i.name)||(E.warn(`Binding ${i.name} not found in ${this.id}`)(),t=!1);return t}_applyBindings(e,t){if(this._syncLinkStatus(),this.linkStatus!=="success")return;let{gl:i}=this.device;i.useProgram(this.handle);let n=0,o=0;for(let s of this.shaderLayout.bindings){let a=Mw(e,s.name);if(!a)throw new Error(`No value for binding ${s.name} in ${this.id}`);switch(s.type){case"uniform":let{name:c}=s,l=i.getUniformBlockIndex(this.handle,c);if(l===4294967295)throw new Error(`Invalid uniform block name ${c}`);if(i.uniformBlockBinding(this.handle,l,o),a instanceof mt)i.bindBufferBase(35345,o,a.handle);else{let u=a;i.bindBufferRange(35345,o,u.buffer.handle,u.offset||0,u.size||u.buffer.byteLength-(u.offset||0))}o+=1;break;case"texture":if(!(a instanceof kt||a instanceof Nt||a instanceof Dt))throw new Error("texture");let f;if(a instanceof kt)f=a.texture;else if(a instanceof Nt)f=a;else if(a instanceof Dt&&a.colorAttachments[0]instanceof kt)E.warn("Passing framebuffer in texture binding may be deprecated. Use fbo.colorAttachments[0] instead")(),f=a.colorAttachments[0].texture;else throw new Error("No texture");i.activeTexture(33984+n),i.bindTexture(f.glTarget,f.handle),n+=1;break;case"sampler":break;case"storage":case"read-only-storage":throw new Error(`binding type '${s.type}' not supported in WebGL`)}}}_applyUniforms(e){for(let t of this.shaderLayout.uniforms||[]){let{name:i,location:n,type:o,textureUnit:s}=t,a=e[i]??s;a!==void 0&&vw(this.device.gl,n,o,a)}}_syncLinkStatus(){this.linkStatus=this.sharedRenderPipeline.linkStatus}}});var Ow,kl,Bw=x(()=>{D();Bl();Ow=4,kl=class extends ao{device;handle;vs;fs;linkStatus="pending";constructor(e,t){super(e,t),this.device=e,this.handle=t.handle||this.device.gl.createProgram(),this.vs=t.vs,this.fs=t.fs,t.varyings&&t.varyings.length>0&&this.device.gl.transformFeedbackVaryings(this.handle,t.varyings,t.bufferMode||35981),this._linkShaders()}destroy(){this.destroyed||(this.device.gl.useProgram(null),this.device.gl.deleteProgram(this.handle),this.handle.destroyed=!0,this.destroyResource())}async _linkShaders(){let{gl:e}=this.device;if(e.attachShader(this.handle,this.vs.handle),e.attachShader(this.handle,this.fs.handle),E.time(Ow,`linkProgram for ${this.id}`)(),e.linkProgram(this.handle),E.timeEnd(Ow,`linkProgram for ${this.id}`)(),!this.device.features.has("compilation-status-async-webgl")){let i=this._getLinkStatus();this._reportLinkStatus(i);return}E.once(1,"RenderPipeline linking is asynchronous")(),await this._waitForLinkComplete(),E.info(2,`RenderPipeline ${this.id} - async linking complete: ${this.linkStatus}`)();let t=this._getLinkStatus();this._reportLinkStatus(t)}async _reportLinkStatus(e){switch(e){case"success":return;default:let t=e==="link-error"?"Link error":"Validation error";switch(this.vs.compilationStatus){case"error":throw this.vs.debugShader(),new Error(`${this} ${t} during compilation of ${this.vs}`);case"pending":await this.vs.asyncCompilationStatus,this.vs.debugShader();break;case"success":break}switch(this.fs?.compilationStatus){case"error":throw this.fs.debugShader(),new Error(`${this} ${t} during compilation of ${this.fs}`);case"pending":await this.fs.asyncCompilationStatus,this.fs.debugShader();break;case"success":break}let i=this.device.gl.getProgramInfoLog(this.handle);this.device.reportError(new Error(`${t} during ${e}: ${i}`),this)(),this.device.debug()}}_getLinkStatus(){let{gl:e}=this.device;return e.getProgramParameter(this.handle,35714)?(this._initializeSamplerUniforms(),e.validateProgram(this.handle),e.getProgramParameter(this.handle,35715)?(this.linkStatus="success","success"):(this.linkStatus="error","validation-error")):(this.linkStatus="error","link-error")}_initializeSamplerUniforms(){let{gl:e}=this.device;e.useProgram(this.handle);let t=0,i=e.getProgramParameter(this.handle,35718);for(let n=0;n<i;n++){let o=e.getActiveUniform(this.handle,n);if(o&&Ol(o.type)){let s=o.name.endsWith("[0]"),a=s?o.name.slice(0,-3):o.name,c=e.getUniformLocation(this.handle,a);c!==null&&(t=this._assignSamplerUniform(c,o,s,t))}}}_assignSamplerUniform(e,t,i,n){let{gl:o}=this.device;if(i&&t.size>1){let s=Int32Array.from({length:t.size},(a,c)=>n+c);return o.uniform1iv(e,s),n+t.size}return o.uniform1i(e,n),n+1}async _waitForLinkComplete(){let e=async n=>await new Promise(o=>setTimeout(o,n));if(!this.device.features.has("compilation-status-async-webgl")){await e(10);return}let{gl:i}=this.device;for(;;){if(i.getProgramParameter(this.handle,37297))return;await e(10)}}}});function D4(r,e){let t=e.sourceBuffer,i=e.destinationBuffer;r.gl.bindBuffer(36662,t.handle),r.gl.bindBuffer(36663,i.handle),r.gl.copyBufferSubData(36662,36663,e.sourceOffset??0,e.destinationOffset??0,e.size),r.gl.bindBuffer(36662,null),r.gl.bindBuffer(36663,null)}function k4(r,e){let{sourceBuffer:t,byteOffset:i=0,destinationTexture:n,mipLevel:o=0,origin:s=[0,0,0],aspect:a="all",bytesPerRow:c,rowsPerImage:l,size:f}=e;if(a!=="all")throw new Error("copyBufferToTexture aspect is not supported in WebGL");n.writeBuffer(t,{byteOffset:i,bytesPerRow:c,rowsPerImage:l,mipLevel:o,x:s[0]??0,y:s[1]??0,z:s[2]??0,width:f[0],height:f[1],depthOrArrayLayers:f[2]})}function N4(r,e){let{sourceTexture:t,mipLevel:i=0,aspect:n="all",width:o=e.sourceTexture.width,height:s=e.sourceTexture.height,depthOrArrayLayers:a,origin:c=[0,0,0],destinationBuffer:l,byteOffset:f=0,bytesPerRow:u,rowsPerImage:d}=e;if(t instanceof V){t.readBuffer({x:c[0]??0,y:c[1]??0,z:c[2]??0,width:o,height:s,depthOrArrayLayers:a,mipLevel:i,aspect:n,byteOffset:f},l);return}if(n!=="all")throw new Error("aspect not supported in WebGL");if(i!==0||a!==void 0||u||d)throw new Error("not implemented");let{framebuffer:h,destroyFramebuffer:p}=Dw(t),g;try{let m=l,y=o||h.width,v=s||h.height,_=lr(h.colorAttachments[0]),b=ml(_.texture.props.format),w=b.format,P=b.type;r.gl.bindBuffer(35051,m.handle),g=r.gl.bindFramebuffer(36160,h.handle),r.gl.readPixels(c[0],c[1],y,v,w,P,f)}finally{r.gl.bindBuffer(35051,null),g!==void 0&&r.gl.bindFramebuffer(36160,g),p&&h.destroy()}}function F4(r,e){let{sourceTexture:t,destinationMipLevel:i=0,origin:n=[0,0],destinationOrigin:o=[0,0,0],destinationTexture:s}=e,{width:a=e.destinationTexture.width,height:c=e.destinationTexture.height}=e,{framebuffer:l,destroyFramebuffer:f}=Dw(t),[u=0,d=0]=n,[h,p,g]=o,m=r.gl.bindFramebuffer(36160,l.handle),y,v;if(s instanceof Nt)y=s,a=Number.isFinite(a)?a:y.width,c=Number.isFinite(c)?c:y.height,y._bind(0),v=y.glTarget;else throw new Error("invalid destination");switch(v){case 3553:case 34067:r.gl.copyTexSubImage2D(v,i,h,p,u,d,a,c);break;case 35866:case 32879:r.gl.copyTexSubImage3D(v,i,h,p,g,u,d,a,c);break;default:}y&&y._unbind(),r.gl.bindFramebuffer(36160,m),f&&l.destroy()}function Dw(r){if(r instanceof V){let{width:e,height:t,id:i}=r;return{framebuffer:r.device.createFramebuffer({id:`framebuffer-for-${i}`,width:e,height:t,colorAttachments:[r]}),destroyFramebuffer:!0}}return{framebuffer:r,destroyFramebuffer:!1}}var Nl,kw=x(()=>{D();yn();Il();Nl=class extends fo{device;handle=null;commands=[];constructor(e,t={}){super(e,t),this.device=e}_executeCommands(e=this.commands){for(let t of e)switch(t.name){case"copy-buffer-to-buffer":D4(this.device,t.options);break;case"copy-buffer-to-texture":k4(this.device,t.options);break;case"copy-texture-to-buffer":N4(this.device,t.options);break;case"copy-texture-to-texture":F4(this.device,t.options);break;default:throw new Error(t.name)}}}});function Nw(r){switch(r){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 3;case"triangle-list":return 4;case"triangle-strip":return 5;default:throw new Error(r)}}function Fw(r){switch(r){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 1;case"triangle-list":return 4;case"triangle-strip":return 4;default:throw new Error(r)}}var Yp=x(()=>{});var z4,Fl,zw=x(()=>{D();Al();gn();Yp();Gp();z4=[1,2,4,8],Fl=class extends co{device;handle=null;glParameters={};pipeline=null;bindings={};bindingsPipeline=null;vertexArray=null;constructor(e,t){super(e,t),this.device=e;let i=this.props.framebuffer,n=!i||i.handle===null;n&&e.getDefaultCanvasContext()._resizeDrawingBufferIfNeeded();let o;if(!t?.parameters?.viewport)if(!n&&i){let{width:s,height:a}=i;o=[0,0,s,a]}else{let[s,a]=e.getDefaultCanvasContext().getDrawingBufferSize();o=[0,0,s,a]}if(this.device.pushState(),this.setParameters({viewport:o,...this.props.parameters}),!n&&i?.colorAttachments.length){let s=i.colorAttachments.map((a,c)=>36064+c);this.device.gl.drawBuffers(s)}else n&&this.device.gl.drawBuffers([1029]);this.clear(),this.props.timestampQuerySet&&this.props.beginTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.beginTimestampIndex)}end(){this.destroyed||(this.props.timestampQuerySet&&this.props.endTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.endTimestampIndex),this.device.popState(),this.destroy())}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}executeBundles(e){throw new Error("Render bundles are only supported in WebGPU")}setParameters(e={}){let t={...this.glParameters};t.framebuffer=this.props.framebuffer||null,this.props.depthReadOnly&&(t.depthMask=!this.props.depthReadOnly),t.stencilMask=this.props.stencilReadOnly?0:1,t[35977]=this.props.discard,e.viewport&&(e.viewport.length>=6?(t.viewport=e.viewport.slice(0,4),t.depthRange=[e.viewport[4],e.viewport[5]]):t.viewport=e.viewport),e.scissorRect&&(t.scissorTest=!0,t.scissor=e.scissorRect),e.blendConstant&&(t.blendColor=e.blendConstant),e.stencilReference!==void 0&&(t[2967]=e.stencilReference,t[36003]=e.stencilReference),"colorMask"in e&&(t.colorMask=z4.map(i=>!!(i&e.colorMask))),this.glParameters=t,ht(this.device.gl,t)}setPipeline(e){this.pipeline=e}setBindings(e,t){if(!this.pipeline)throw new Error("RenderPass.setPipeline() must be called before setBindings()");this.bindings=Di(Hr(this.pipeline.shaderLayout,e)),this.bindingsPipeline=this.pipeline}setVertexArray(e){this.vertexArray=e}draw(e){let t=this.pipeline,i=this.vertexArray;if(!t)throw new Error("RenderPass.setPipeline() must be called before draw()");if(!i)throw new Error("RenderPass.setVertexArray() must be called before draw()");if(t.shaderLayout.bindings.length>0&&this.bindingsPipeline!==t)throw new Error("RenderPass.setBindings() must be called after setPipeline() before draw()");t._syncLinkStatus();let{parameters:n=t.props.parameters,topology:o=t.props.topology,vertexCount:s,indexCount:a,instanceCount:c,isInstanced:l=!1,firstVertex:f=0,transformFeedback:u,uniforms:d=t.uniforms}=e,h=Nw(o),p=!!i.indexBuffer,g=i.indexBuffer?.glIndexType,m=a??s??0;if(t.linkStatus!=="success")return E.info(2,`RenderPipeline:${t.id}.draw() aborted - waiting for shader linking`)(),!1;if(!t._areTexturesRenderable(this.bindings))return E.info(2,`RenderPipeline:${t.id}.draw() aborted - textures not yet loaded`)(),!1;this.device.gl.useProgram(t.handle),i.bindBeforeRender(this);let y=u;return y&&y.begin(t.props.topology),t._applyBindings(this.bindings,{disableWarnings:t.props.disableWarnings}),t._applyUniforms(d),xw(this.device,n,this.glParameters,()=>{p&&l?this.device.gl.drawElementsInstanced(h,m,g,f,c||0):p?this.device.gl.drawElements(h,m,g,f):l?this.device.gl.drawArraysInstanced(h,f,s||0,c||0):this.device.gl.drawArrays(h,f,s||0),y&&y.end()}),i.unbindAfterRender(this),!0}drawIndirect(e,t=0){throw new Error("Indirect drawing is only supported in WebGPU")}drawIndexedIndirect(e,t=0){throw new Error("Indirect drawing is only supported in WebGPU")}beginOcclusionQuery(e){this.props.occlusionQuerySet?.beginOcclusionQuery()}endOcclusionQuery(){this.props.occlusionQuerySet?.endOcclusionQuery()}clear(){let e={...this.glParameters},t=0;this.props.clearColors&&this.props.clearColors.forEach((i,n)=>{i&&this.clearColorBuffer(n,i)}),this.props.clearColor!==!1&&this.props.clearColors===void 0&&(t|=16384,e.clearColor=this.props.clearColor),this.props.clearDepth!==!1&&(t|=256,e.clearDepth=this.props.clearDepth),this.props.clearStencil!==!1&&(t|=1024,e.clearStencil=this.props.clearStencil),t!==0&&_t(this.device.gl,e,()=>{this.device.gl.clear(t)})}clearColorBuffer(e=0,t=[0,0,0,0]){_t(this.device.gl,{framebuffer:this.props.framebuffer},()=>{switch(t.constructor){case Int8Array:case Int16Array:case Int32Array:this.device.gl.clearBufferiv(6144,e,t);break;case Uint8Array:case Uint8ClampedArray:case Uint16Array:case Uint32Array:this.device.gl.clearBufferuiv(6144,e,t);break;case Float32Array:this.device.gl.clearBufferfv(6144,e,t);break;default:throw new Error("clearColorBuffer: color must be typed array")}})}}});var vs,Uw=x(()=>{D();kw();zw();vs=class extends lo{device;handle=null;commandBuffer;constructor(e,t){super(e,t),this.device=e,this.commandBuffer=new Nl(e,{id:this.id,userData:this.userData})}destroy(){this.destroyResource()}finish(){return this.destroy(),this.commandBuffer}beginRenderPass(e={}){return new Fl(this.device,this._applyTimeProfilingToPassProps(e))}beginComputePass(e={}){throw new Error("ComputePass not supported in WebGL")}copyBufferToBuffer(e){this.commandBuffer.commands.push({name:"copy-buffer-to-buffer",options:e})}copyBufferToTexture(e){this.commandBuffer.commands.push({name:"copy-buffer-to-texture",options:e})}copyTextureToBuffer(e){this.commandBuffer.commands.push({name:"copy-texture-to-buffer",options:e})}copyTextureToTexture(e){this.commandBuffer.commands.push({name:"copy-texture-to-texture",options:e})}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}resolveQuerySet(e,t,i){throw new Error("resolveQuerySet is not supported in WebGL")}writeTimestamp(e,t){e.writeTimestamp(t)}}});function Gw(r){let{target:e,source:t,start:i=0,count:n=1}=r,o=t.length,s=n*o,a=0;for(let c=i;a<o;a++)e[c++]=t[a]??0;for(;a<s;)a<s-a?(e.copyWithin(i+a,i,i+a),a*=2):(e.copyWithin(i+a,i,i+s-a),a=s);return r.target}var Vw=x(()=>{});function U4(r){return Array.isArray(r)?new Float32Array(r):r}function G4(r,e){if(!r||!e||r.length!==e.length||r.constructor!==e.constructor)return!1;for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}var zl,$w=x(()=>{D();Ir();Op();Vw();zl=class r extends uo{get[Symbol.toStringTag](){return"VertexArray"}device;handle;attributeInfosByLocation;buffer=null;bufferValue=null;static isConstantAttributeZeroSupported(e){return Wf()==="Chrome"}constructor(e,t){super(e,t),this.device=e,this.handle=this.device.gl.createVertexArray(),this.attributeInfosByLocation=new Array(this.maxVertexAttributes).fill(null);for(let i of Object.values(yo(t.shaderLayout,t.bufferLayout)))this.attributeInfosByLocation[i.location]=i}destroy(){super.destroy(),this.buffer&&this.buffer?.destroy(),this.handle&&(this.device.gl.deleteVertexArray(this.handle),this.handle=void 0)}setIndexBuffer(e){let t=e;if(t&&t.glTarget!==34963)throw new Error("Use .setBuffer()");this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34963,t?t.handle:null),this.indexBuffer=t,this.device.gl.bindVertexArray(null)}setBuffer(e,t){let i=t;if(i.glTarget===34963)throw new Error("Use .setIndexBuffer()");let{size:n,type:o,stride:s,offset:a,normalized:c,integer:l,divisor:f}=this._getAccessor(e);this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34962,i.handle),l?this.device.gl.vertexAttribIPointer(e,n,o,s,a):this.device.gl.vertexAttribPointer(e,n,o,c,s,a),this.device.gl.bindBuffer(34962,null),this.device.gl.enableVertexAttribArray(e),this.device.gl.vertexAttribDivisor(e,f||0),this.attributes[e]=i,this.device.gl.bindVertexArray(null)}setConstantWebGL(e,t){this._enable(e,!1),this.attributes[e]=t}bindBeforeRender(){this.device.gl.bindVertexArray(this.handle),this._applyConstantAttributes()}unbindAfterRender(){this.device.gl.bindVertexArray(null)}_applyConstantAttributes(){for(let e=0;e<this.maxVertexAttributes;++e){let t=this.attributes[e];ArrayBuffer.isView(t)&&this.device.setConstantAttributeWebGL(e,t)}}_getAccessor(e){let t=this.attributeInfosByLocation[e];if(!t)throw new Error(`Unknown attribute location ${e}`);let i=dl(t.bufferDataType);return{size:t.bufferComponents,type:i,stride:t.byteStride,offset:t.byteOffset,normalized:t.normalized,integer:t.integer,divisor:t.stepMode==="instance"?1:0}}_enable(e,t=!0){let n=r.isConstantAttributeZeroSupported(this.device)||e!==0;(t||n)&&(e=Number(e),this.device.gl.bindVertexArray(this.handle),t?this.device.gl.enableVertexAttribArray(e):this.device.gl.disableVertexAttribArray(e),this.device.gl.bindVertexArray(null))}getConstantBuffer(e,t){let i=U4(t),n=i.byteLength*e,o=i.length*e;if(this.buffer&&n!==this.buffer.byteLength)throw new Error(`Buffer size is immutable, byte length ${n} !== ${this.buffer.byteLength}.`);let s=!this.buffer;if(this.buffer=this.buffer||this.device.createBuffer({byteLength:n}),s||=!G4(i,this.bufferValue),s){let a=Pd(t.constructor,o);Gw({target:a,source:i,start:0,count:o}),this.buffer.write(a),this.bufferValue=t}return this.buffer}}});function Ww(r){return typeof r=="number"?Number.isInteger(r):/^\d+$/.test(r)}var Ul,jw=x(()=>{D();Gl();Yp();Ul=class extends ho{device;gl;handle;layout;buffers={};unusedBuffers={};bindOnUse=!0;_bound=!1;constructor(e,t){super(e,t),this.device=e,this.gl=e.gl,this.handle=this.props.handle||this.gl.createTransformFeedback(),this.layout=this.props.layout,t.buffers&&this.setBuffers(t.buffers),Object.seal(this)}destroy(){this.gl.deleteTransformFeedback(this.handle),super.destroy()}begin(e="point-list"){this.gl.bindTransformFeedback(36386,this.handle),this.bindOnUse&&this._bindBuffers(),this.gl.beginTransformFeedback(Fw(e))}end(){this.gl.endTransformFeedback(),this.bindOnUse&&this._unbindBuffers(),this.gl.bindTransformFeedback(36386,null)}setBuffers(e){this.buffers={},this.unusedBuffers={},this.bind(()=>{for(let[t,i]of Object.entries(e))this.setBuffer(t,i)})}setBuffer(e,t){let i=this._getVaryingIndex(e),{buffer:n,byteLength:o,byteOffset:s}=this._getBufferRange(t);if(i<0){this.unusedBuffers[e]=n,E.warn(`${this.id} unusedBuffers varying buffer ${e}`)();return}this.buffers[i]={buffer:n,byteLength:o,byteOffset:s},this.bindOnUse||this._bindBuffer(i,n,s,o)}getBuffer(e){if(Ww(e))return this.buffers[e]||null;let t=this._getVaryingIndex(e);return this.buffers[t]??null}bind(e=this.handle){if(typeof e!="function")return this.gl.bindTransformFeedback(36386,e),this;let t;return this._bound?t=e():(this.gl.bindTransformFeedback(36386,this.handle),this._bound=!0,t=e(),this._bound=!1,this.gl.bindTransformFeedback(36386,null)),t}unbind(){this.bind(null)}_getBufferRange(e){if(e instanceof mt)return{buffer:e,byteOffset:0,byteLength:e.byteLength};let{buffer:t,byteOffset:i=0,byteLength:n=e.buffer.byteLength}=e;return{buffer:t,byteOffset:i,byteLength:n}}_getVaryingIndex(e){if(Ww(e))return Number(e);for(let t of this.layout.varyings||[])if(e===t.name)return t.location;return-1}_bindBuffers(){for(let[e,t]of Object.entries(this.buffers)){let{buffer:i,byteLength:n,byteOffset:o}=this._getBufferRange(t);this._bindBuffer(Number(e),i,o,n)}}_unbindBuffers(){for(let e in this.buffers)this.gl.bindBufferBase(35982,Number(e),null)}_bindBuffer(e,t,i=0,n){let o=t&&t.handle;!o||n===void 0?this.gl.bindBufferBase(35982,e,o):this.gl.bindBufferRange(35982,e,o,i,n)}}});var Vl,Hw=x(()=>{D();Vl=class extends po{device;handle;_timestampPairs=[];_pendingReads=new Set;_occlusionQuery=null;_occlusionActive=!1;get[Symbol.toStringTag](){return"QuerySet"}constructor(e,t){if(super(e,t),this.device=e,t.type==="timestamp"){if(t.count<2)throw new Error("Timestamp QuerySet requires at least two query slots");this._timestampPairs=new Array(Math.ceil(t.count/2)).fill(null).map(()=>({activeQuery:null,completedQueries:[]})),this.handle=null}else{if(t.count>1)throw new Error("WebGL occlusion QuerySet can only have one value");let i=this.device.gl.createQuery();if(!i)throw new Error("WebGL query not supported");this.handle=i}Object.seal(this)}destroy(){if(!this.destroyed){this.handle&&this.device.gl.deleteQuery(this.handle);for(let e of this._timestampPairs){e.activeQuery&&(this._cancelPendingQuery(e.activeQuery),this.device.gl.deleteQuery(e.activeQuery.handle));for(let t of e.completedQueries)this._cancelPendingQuery(t),this.device.gl.deleteQuery(t.handle)}this._occlusionQuery&&(this._cancelPendingQuery(this._occlusionQuery),this.device.gl.deleteQuery(this._occlusionQuery.handle));for(let e of Array.from(this._pendingReads))this._cancelPendingQuery(e);this.destroyResource()}}isResultAvailable(e){return this.props.type==="timestamp"?e===void 0?this._timestampPairs.some((t,i)=>this._isTimestampPairAvailable(i)):this._isTimestampPairAvailable(this._getTimestampPairIndex(e)):this._occlusionQuery?this._pollQueryAvailability(this._occlusionQuery):!1}async readResults(e){let t=e?.firstQuery||0,i=e?.queryCount||this.props.count-t;if(this._validateRange(t,i),this.props.type==="timestamp"){let n=new Array(i).fill(0n),o=Math.floor(t/2),s=Math.floor((t+i-1)/2);for(let a=o;a<=s;a++){let c=await this._consumeTimestampPairResult(a),l=a*2,f=l+1;l>=t&&l<t+i&&(n[l-t]=0n),f>=t&&f<t+i&&(n[f-t]=c)}return n}if(!this._occlusionQuery)throw new Error("Occlusion query has not been started");return[await this._consumeQueryResult(this._occlusionQuery)]}async readTimestampDuration(e,t){if(this.props.type!=="timestamp")throw new Error("Timestamp durations require a timestamp QuerySet");if(e<0||t>=this.props.count||t<=e)throw new Error("Timestamp duration range is out of bounds");if(e%2!==0||t!==e+1)throw new Error("WebGL timestamp durations require adjacent even/odd query indices");let i=await this._consumeTimestampPairResult(this._getTimestampPairIndex(e));return Number(i)/1e6}beginOcclusionQuery(){if(this.props.type!=="occlusion")throw new Error("Occlusion queries require an occlusion QuerySet");if(!this.handle)throw new Error("WebGL occlusion query is not available");if(this._occlusionActive)throw new Error("Occlusion query is already active");this.device.gl.beginQuery(35887,this.handle),this._occlusionQuery={handle:this.handle,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null},this._occlusionActive=!0}endOcclusionQuery(){if(!this._occlusionActive)throw new Error("Occlusion query is not active");this.device.gl.endQuery(35887),this._occlusionActive=!1}writeTimestamp(e){if(this.props.type!=="timestamp")throw new Error("Timestamp writes require a timestamp QuerySet");let t=this._getTimestampPairIndex(e),i=this._timestampPairs[t];if(e%2===0){if(i.activeQuery)throw new Error("Timestamp query pair is already active");let n=this.device.gl.createQuery();if(!n)throw new Error("WebGL query not supported");let o={handle:n,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null};this.device.gl.beginQuery(35007,n),i.activeQuery=o;return}if(!i.activeQuery)throw new Error("Timestamp query pair was ended before it was started");this.device.gl.endQuery(35007),i.completedQueries.push(i.activeQuery),i.activeQuery=null}_validateRange(e,t){if(e<0||t<0||e+t>this.props.count)throw new Error("Query read range is out of bounds")}_getTimestampPairIndex(e){if(e<0||e>=this.props.count)throw new Error("Query index is out of bounds");return Math.floor(e/2)}_isTimestampPairAvailable(e){let t=this._timestampPairs[e];return!t||t.completedQueries.length===0?!1:this._pollQueryAvailability(t.completedQueries[0])}_pollQueryAvailability(e){if(e.cancelled||this.destroyed)return e.result=0n,!0;if(e.result!==null||e.disjoint)return!0;if(!this.device.gl.getQueryParameter(e.handle,34919))return!1;let i=!!this.device.gl.getParameter(36795);return e.disjoint=i,e.result=i?0n:BigInt(this.device.gl.getQueryParameter(e.handle,34918)),!0}async _consumeTimestampPairResult(e){let t=this._timestampPairs[e];if(!t||t.completedQueries.length===0)throw new Error("Timestamp query pair has no completed result");let i=t.completedQueries.shift();try{return await this._consumeQueryResult(i)}finally{this.device.gl.deleteQuery(i.handle)}}_consumeQueryResult(e){return e.promise||(this._pendingReads.add(e),e.promise=new Promise((t,i)=>{e.resolve=t,e.reject=i;let n=()=>{if(e.pollRequestId=null,e.cancelled||this.destroyed){this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,t(0n);return}if(!this._pollQueryAvailability(e)){e.pollRequestId=this._requestAnimationFrame(n);return}this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,e.disjoint?i(new Error("GPU timestamp query was invalidated by a disjoint event")):t(e.result||0n)};n()})),e.promise}_cancelPendingQuery(e){if(this._pendingReads.delete(e),e.cancelled=!0,e.pollRequestId!==null&&(this._cancelAnimationFrame(e.pollRequestId),e.pollRequestId=null),e.resolve){let t=e.resolve;e.promise=null,e.resolve=null,e.reject=null,t(0n)}}_requestAnimationFrame(e){return requestAnimationFrame(e)}_cancelAnimationFrame(e){cancelAnimationFrame(e)}}});var $l,Yw=x(()=>{D();$l=class extends go{device;gl;handle;signaled;_signaled=!1;constructor(e,t={}){super(e,{}),this.device=e,this.gl=e.gl;let i=this.props.handle||this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0);if(!i)throw new Error("Failed to create WebGL fence");this.handle=i,this.signaled=new Promise(n=>{let o=()=>{let s=this.gl.clientWaitSync(this.handle,0,0);s===this.gl.ALREADY_SIGNALED||s===this.gl.CONDITION_SATISFIED?(this._signaled=!0,n()):setTimeout(o,1)};o()})}isSignaled(){if(this._signaled)return!0;let e=this.gl.getSyncParameter(this.handle,this.gl.SYNC_STATUS);return this._signaled=e===this.gl.SIGNALED,this._signaled}destroy(){this.destroyed||this.gl.deleteSync(this.handle)}}});function qp(r){switch(r){case 6406:case 33326:case 6403:case 36244:return 1;case 33339:case 33340:case 33328:case 33320:case 33319:return 2;case 6407:case 36248:case 34837:return 3;case 6408:case 36249:case 34836:return 4;default:return 0}}function qw(r){switch(r){case 5121:return 1;case 33635:case 32819:case 32820:return 2;case 5126:return 4;default:return 0}}var Zw=x(()=>{});function Xw(r,e){let{sourceX:t=0,sourceY:i=0,sourceAttachment:n=0}=e||{},{target:o=null,sourceWidth:s,sourceHeight:a,sourceDepth:c,sourceFormat:l,sourceType:f}=e||{},{framebuffer:u,deleteFramebuffer:d}=Qw(r),{gl:h,handle:p}=u;s||=u.width,a||=u.height;let g=u.colorAttachments[n]?.texture;if(!g)throw new Error(`Invalid framebuffer attachment ${n}`);c=g?.depth||1,l||=g?.glFormat||6408,f||=g?.glType||5121,o=$4(o,f,l,s,a,c);let m=ge.getDataType(o);f=f||Pw(m);let y=h.bindFramebuffer(36160,p);return h.readBuffer(36064+n),h.readPixels(t,i,s,a,l,f,o),h.readBuffer(36064),h.bindFramebuffer(36160,y||null),d&&u.destroy(),o}function Kw(r,e){let{target:t,sourceX:i=0,sourceY:n=0,sourceFormat:o=6408,targetByteOffset:s=0}=e||{},{sourceWidth:a,sourceHeight:c,sourceType:l}=e||{},{framebuffer:f,deleteFramebuffer:u}=Qw(r);a=a||f.width,c=c||f.height;let d=f;l=l||5121;let h=t;if(!h){let g=qp(o),m=qw(l),y=s+a*c*g*m;h=d.device.createBuffer({byteLength:y})}let p=r.device.createCommandEncoder();return p.copyTextureToBuffer({sourceTexture:r,width:a,height:c,origin:[i,n],destinationBuffer:h,byteOffset:s}),p.destroy(),u&&f.destroy(),h}function Qw(r){return r instanceof $r?{framebuffer:r,deleteFramebuffer:!1}:{framebuffer:V4(r),deleteFramebuffer:!0}}function V4(r,e){let{device:t,width:i,height:n,id:o}=r;return t.createFramebuffer({...e,id:`framebuffer-for-${o}`,width:i,height:n,colorAttachments:[r]})}function $4(r,e,t,i,n,o){if(r)return r;e||=5121;let s=Ml(e),a=ge.getTypedArrayConstructor(s),c=qp(t);return new a(i*n*c)}var Jw=x(()=>{D();Bl();Zw();Hp()});function eP(r){let e=new Map;for(let t in r){let i=r[t];if(t<"a"){let n=e.get(i);e.set(i,n?`${n}, GL.${t}`:`GL.${t}`)}}return e}var tP=x(()=>{});var Zp={};Gt(Zp,{WebGLDevice:()=>wr});function W4(r,e,t){switch(t.length){case 1:r.gl.vertexAttrib1fv(e,t);break;case 2:r.gl.vertexAttrib2fv(e,t);break;case 3:r.gl.vertexAttrib3fv(e,t);break;case 4:r.gl.vertexAttrib4fv(e,t);break;default:}}function j4(r,e,t){r.gl.vertexAttribI4iv(e,t)}function H4(r,e,t){r.gl.vertexAttribI4uiv(e,t)}function Y4(r,e){if(!r||!e||r.length!==e.length||r.constructor!==e.constructor)return!1;for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}var wr,Wl=x(()=>{D();Ip();Qv();Rp();tw();lw();fw();uw();dw();Tp();yn();pw();wl();_w();bw();Il();xl();Rw();Bw();Uw();$w();jw();Hw();Yw();Jw();gn();Al();ms();tP();wr=class r extends jt{static getDeviceFromContext(e){return e?e.luma?.device??null:null}type="webgl";handle;features;limits;info;canvasContext;preferredColorFormat="rgba8unorm";preferredDepthFormat="depth24plus";commandEncoder;lost;_resolveContextLost;_isLost=!1;gl;_glKeyByValue=null;_constants;extensions;_polyfilled=!1;spectorJS;get[Symbol.toStringTag](){return"WebGLDevice"}toString(){return`${this[Symbol.toStringTag]}(${this.id})`}isVertexFormatSupported(e){return e!=="unorm8x4-bgra"}constructor(e){super({...e,id:e.id||hw("webgl-device")});let t=jt._getCanvasContextProps(e);if(!t)throw new Error("WebGLDevice requires props.createCanvasContext to be set");let i=t.canvas?.gl??null,n=r.getDeviceFromContext(i);if(n)throw new Error(`WebGL context already attached to device ${n.id}`);this.canvasContext=new bl(this,t),this.lost=new Promise(f=>{this._resolveContextLost=f});let o={...e.webgl};t.alphaMode==="premultiplied"&&(o.premultipliedAlpha=!0),e.powerPreference!==void 0&&(o.powerPreference=e.powerPreference),e.failIfMajorPerformanceCaveat!==void 0&&(o.failIfMajorPerformanceCaveat=e.failIfMajorPerformanceCaveat);let a=this.props._handle||Kv(this.canvasContext.canvas,{onContextLost:f=>this._resolveContextLost?.({reason:"destroyed",message:"Entered sleep mode, or too many apps or browser tabs are using the GPU."}),onContextRestored:f=>{console.log("WebGL context restored")}},o);if(!a)throw new Error("WebGL context creation failed");if(n=r.getDeviceFromContext(a),n){if(e._reuseDevices)return E.log(1,`Not creating a new Device, instead returning a reference to Device ${n.id} already attached to WebGL context`,n)(),this.canvasContext.destroy(),n._reused=!0,n;throw new Error(`WebGL context already attached to device ${n.id}`)}this.handle=a,this.gl=a,this.spectorJS=Uv({...this.props,gl:this.handle});let c=gs(this.handle);c.device=this,c.extensions||(c.extensions={}),this.extensions=c.extensions,this.info=Jv(this.gl,this.extensions),this.limits=new yl(this.gl),this.features=new _l(this.gl,this.extensions,this.props._disabledFeatures),this.props._initializeFeatures&&this.features.initializeFeatures(),new pt(this.gl,{log:(...f)=>E.log(1,...f)()}).trackState(this.gl,{copyState:!1}),(e.debug||e.debugWebGL)&&(this.gl=Fv(this.gl,{debugWebGL:!0,traceWebGL:e.debugWebGL}),E.warn("WebGL debug mode activated. Performance reduced.")()),e.debugWebGL&&(E.level=Math.max(E.level,1)),this.commandEncoder=new vs(this,{id:`${this}-command-encoder`}),this.canvasContext._startObservers()}destroy(){if(!this.props._reuseDevices&&!this._reused){this._isLost=!0,this.commandEncoder?.destroy();let e=gs(this.handle);e.device=null}}get isLost(){return this._isLost||this.gl.isContextLost()}createCanvasContext(e){throw new Error("WebGL only supports a single canvas")}createPresentationContext(e){return new vl(this,e||{})}createBuffer(e){let t=this._normalizeBufferProps(e);return new mt(this,t)}createTexture(e){return new Nt(this,e)}createExternalTexture(e){throw new Error("ExternalTexture is not available on WebGL")}createSampler(e){return new Cl(this,e)}createShader(e){return new El(this,e)}createFramebuffer(e){return new Dt(this,e)}createVertexArray(e){return new zl(this,e)}createTransformFeedback(e){return new Ul(this,e)}createQuerySet(e){return new Vl(this,e)}createFence(){return new $l(this)}createRenderPipeline(e){return new Dl(this,e)}_createSharedRenderPipelineWebGL(e){return new kl(this,e)}createComputePipeline(e){throw new Error("ComputePipeline not supported in WebGL")}createRenderBundleEncoder(e){throw new Error("Render bundles are only supported in WebGPU")}createCommandEncoder(e={}){return new vs(this,e)}submit(e){let t=null;e||({submittedCommandEncoder:t,commandBuffer:e}=this._finalizeDefaultCommandEncoderForSubmit());try{e._executeCommands(),t&&t.resolveTimeProfilingQuerySet().then(()=>{this.commandEncoder._gpuTimeMs=t._gpuTimeMs}).catch(()=>{})}finally{e.destroy()}}writeBufferViaCommandEncoder(e,t,i,n=0){t.write(i,n)}_finalizeDefaultCommandEncoderForSubmit(){let e=this.commandEncoder,t=e.finish();return this.commandEncoder.destroy(),this.commandEncoder=this.createCommandEncoder({id:e.props.id,timeProfilingQuerySet:e.getTimeProfilingQuerySet()}),{submittedCommandEncoder:e,commandBuffer:t}}readPixelsToArrayWebGL(e,t){return Xw(e,t)}readPixelsToBufferWebGL(e,t){return Kw(e,t)}setParametersWebGL(e){ht(this.gl,e)}getParametersWebGL(e){return ul(this.gl,e)}withParametersWebGL(e,t){return _t(this.gl,e,t)}resetWebGL(){E.warn("WebGLDevice.resetWebGL is deprecated, use only for debugging")(),Hv(this.gl)}_getDeviceSpecificTextureFormatCapabilities(e){return sw(this.gl,e,this.extensions)}loseDevice(){let e=!1,i=this.getExtension("WEBGL_lose_context").WEBGL_lose_context;return i&&(e=!0,i.loseContext()),this._resolveContextLost?.({reason:"destroyed",message:"Application triggered context loss"}),e}pushState(){pt.get(this.gl).push()}popState(){pt.get(this.gl).pop()}getGLKey(e,t){let i=this._getGLKeyByValue().get(Number(e));return i||(t?.emptyIfUnknown?"":String(e))}getGLKeys(e){let t={emptyIfUnknown:!0};return Object.entries(e).reduce((i,[n,o])=>(i[`${n}:${this.getGLKey(n,t)}`]=`${o}:${this.getGLKey(o,t)}`,i),{})}_getGLKeyByValue(){return this._glKeyByValue??=eP(this.gl),this._glKeyByValue}setConstantAttributeWebGL(e,t){let i=this.limits.maxVertexAttributes;this._constants=this._constants||new Array(i).fill(null);let n=this._constants[e];switch(n&&Y4(n,t)&&E.info(1,`setConstantAttributeWebGL(${e}) could have been skipped, value unchanged`)(),this._constants[e]=t,t.constructor){case Float32Array:W4(this,e,t);break;case Int32Array:j4(this,e,t);break;case Uint32Array:H4(this,e,t);break;default:throw new Error("constant")}}getExtension(e){return gt(this.gl,e,this.extensions),this.extensions}_setWebGLDebugMetadata(e,t,i){e.luma=t;let n={props:i.spector,id:i.spector.id};e.__SPECTOR_Metadata=n}}});function q4(r){return typeof WebGL2RenderingContext<"u"&&r instanceof WebGL2RenderingContext?!0:!!(r&&typeof r.createVertexArray=="function")}function rP(r){return{...r,debug:r.debug??jt.defaultProps.debug,debugWebGL:r.debugWebGL??jt.defaultProps.debugWebGL,debugSpectorJS:r.debugSpectorJS??!!E.get("debug-spectorjs")}}async function iP(r){let e=[];(r.debugWebGL||r.debug)&&e.push(Nv()),r.debugSpectorJS&&e.push(zv(r));let t=await Promise.allSettled(e);for(let i of t)i.status==="rejected"&&E.error(`Failed to initialize debug libraries ${i.reason}`)()}var ws,Xp,Ps,nP=x(()=>{D();Dv();Tp();ws=1,Xp=class extends Jn{type="webgl";enforceWebGL2(e){Bv(e)}isSupported(){return typeof WebGL2RenderingContext<"u"}isDeviceHandle(e){return typeof WebGL2RenderingContext<"u"&&e instanceof WebGL2RenderingContext?!0:(typeof WebGLRenderingContext<"u"&&e instanceof WebGLRenderingContext&&E.warn("WebGL1 is not supported",e)(),!1)}async attach(e,t={}){let{WebGLDevice:i}=await Promise.resolve().then(()=>(Wl(),Zp));if(e instanceof i)return e;let n=i.getDeviceFromContext(e);if(n)return n;if(!q4(e))throw new Error("Invalid WebGL2RenderingContext");t=rP(t),await iP(t);let o=t.createCanvasContext===!0?{}:t.createCanvasContext;return new i({...t,_handle:e,createCanvasContext:{canvas:e.canvas,autoResize:!1,...o}})}async create(e={}){let{WebGLDevice:t}=await Promise.resolve().then(()=>(Wl(),Zp));e=rP(e),await iP(e);try{let i=new t(e);E.groupCollapsed(ws,`WebGLDevice ${i.id} created`)();let n=`${i._reused?"Reusing":"Created"} device with WebGL2 ${i.props.debug?"debug ":""}context: ${i.info.vendor}, ${i.info.renderer} for canvas: ${i.canvasContext.id}`;return E.probe(ws,n)(),E.table(ws,i.info)(),i}finally{E.groupEnd(ws)(),E.info(ws,"%cWebGL call tracing: luma.log.set('debug-webgl') ","color: white; background: blue; padding: 2px 6px; border-radius: 3px;")()}}};Ps=new Xp});var Gl=x(()=>{nP();Wl();wl()});function ql(r){return pP.test(r)}function Zl(r){return gP.test(r)}function mP(r){let e=pP.exec(r),t=gP.exec(r),i=e?.[1]??t?.[1]??r;try{K.getVertexFormatInfo(i)}catch{throw new Error(`Unsupported GPUVector format ${r}`)}return i}function Qt(r){let e=mP(r),t=ql(r),i=Zl(r),n=K.getVertexFormatInfo(e),o=n.type,s=n.normalized,a=J4(o,s);return{format:r,elementFormat:e,vertexList:t,valueList:i,type:o,signedDataType:eD(e,o),primitiveType:a,components:n.components,byteLength:n.byteLength,integer:n.integer,signed:n.signed,normalized:s,...n.webglOnly?{webglOnly:!0}:{}}}function J4(r,e){if(e)return"f32";switch(r){case"float32":return"f32";case"float16":return"f16";case"uint8":case"uint16":case"uint32":return"u32";case"sint8":case"sint16":case"sint32":return"i32";default:throw new Error(`Unsupported GPUVector component type ${r}`)}}function eD(r,e){if(r==="unorm10-10-10-2")return"uint32";switch(e){case"unorm8":return"uint8";case"snorm8":return"sint8";case"unorm16":return"uint16";case"snorm16":return"sint16";default:return e}}var pP,gP,Xl=x(()=>{D();pP=/^vertex-list<([^<>]+)>$/,gP=/^value-list<([^<>]+)>$/});function Qp(r,e){if(!Number.isSafeInteger(r)||r<0)throw new Error(`${e} must be a non-negative safe integer`)}var Jt,Jp=x(()=>{D();Jt=class{buffer;format;length;byteOffset;byteStride;constructor(e){let t=K.getVertexFormatInfo(e.format).byteLength,i=e.byteOffset??0,n=e.byteStride??t;if(Qp(e.length,"GPUDataView length"),Qp(i,"GPUDataView byteOffset"),Qp(n,"GPUDataView byteStride"),n<t)throw new Error(`GPUDataView byteStride ${n} is smaller than ${e.format} byte length ${t}`);let o=e.length===0?0:(e.length-1)*n+t,s=i+o;if(!Number.isSafeInteger(o)||!Number.isSafeInteger(s))throw new Error("GPUDataView byte range must use safe integers");if(s>e.buffer.byteLength)throw new Error("GPUDataView exceeds its backing buffer byte length");this.buffer=e.buffer,this.format=e.format,this.length=e.length,this.byteOffset=i,this.byteStride=n}get elementByteLength(){return K.getVertexFormatInfo(this.format).byteLength}get byteLength(){return this.length===0?0:(this.length-1)*this.byteStride+this.elementByteLength}}});function Ql(r){return!!(r&&typeof r=="object"&&r.type==="struct")}function yP(r,e){let t=Object.entries(r);if(t.length===0)throw new Error("GPUData struct format must declare at least one field");return e==="packed"?tD(t):rD(t)}function tD(r){let e=[],t=0,i=0;for(let[n,o]of r){let s=K.getVertexFormatInfo(o);if(s.webglOnly)throw new Error(`Packed GPUData struct field "${n}" uses WebGL-only format ${o}`);t=_P(t,Math.min(4,s.byteLength)),e.push([n,Object.freeze({format:o,byteOffset:t,byteLength:s.byteLength})]),t+=s.byteLength,i+=s.components}return Object.freeze({type:"struct",layout:"packed",fields:Object.freeze(Object.fromEntries(e)),components:i,byteStride:_P(t,4),rowByteLength:t})}function rD(r){let e=Object.fromEntries(r.map(([s,a])=>[s,iD(a)])),t=Yr(e,{layout:"wgsl-storage"}),i=[],n=0,o=0;for(let[s,a]of r){let c=K.getVertexFormatInfo(a),l=t.fields[s].offset*4;i.push([s,Object.freeze({format:a,byteOffset:l,byteLength:c.byteLength})]),n=Math.max(n,l+c.byteLength),o+=c.components}return Object.freeze({type:"struct",layout:"wgsl-storage",fields:Object.freeze(Object.fromEntries(i)),components:o,byteStride:t.byteLength,rowByteLength:n})}function iD(r){let e=K.getVertexFormatInfo(r);switch(e.type){case"float32":return Kl("f32",e.components);case"sint32":return Kl("i32",e.components);case"uint32":return Kl("u32",e.components);default:{let t=Math.ceil(e.byteLength/4);return Kl("u32",t)}}}function Kl(r,e){return e===1?r:`vec${e}<${r}>`}function _P(r,e){return Math.ceil(r/e)*e}var xP=x(()=>{D()});var eg,tg,xn,rg=x(()=>{Jp();xP();Xl();eg=class{buffer;ownsDataBuffer;constructor(e,t){this.buffer=e,this.ownsDataBuffer=t}get ownsBuffer(){return this.ownsDataBuffer}transferBufferOwnership(e){if(e.buffer!==this.buffer)throw new Error("GPUData ownership can only be transferred to the same buffer");e.ownsDataBuffer=this.ownsDataBuffer,this.ownsDataBuffer=!1}destroy(){this.ownsDataBuffer&&(this.buffer.destroy(),this.ownsDataBuffer=!1)}},tg=class extends eg{dataType;format;length;valueLength;stride;byteOffset;byteStride;rowByteLength;readbackMetadata;valueOffsets;nullBitmap;valueByteLength;constructor(e){let{buffer:t,format:i,length:n,valueLength:o,stride:s,byteOffset:a=0,byteStride:c,rowByteLength:l,ownsBuffer:f=!1,readbackMetadata:u,valueOffsets:d,nullBitmap:h,valueByteLength:p,dataType:g}=e;super(t,f);let m;i?typeof i=="string"?m=i:m=yP(i,e.layout??"wgsl-storage"):m=void 0;let y=Ql(m)?m:void 0,v=typeof m=="string"?Qt(m):void 0;if(this.dataType=g,this.format=m,this.length=n,this.valueLength=o??n,this.stride=s??v?.components??y?.components??c??l??1,this.byteOffset=a,this.rowByteLength=l??y?.rowByteLength??v?.byteLength??c??this.stride,this.byteStride=c??y?.byteStride??this.rowByteLength,y){if(this.rowByteLength<y.rowByteLength)throw new Error(`GPUData rowByteLength ${this.rowByteLength} is smaller than struct format row byte length ${y.rowByteLength}`);if(this.byteStride<Math.max(y.byteStride,this.rowByteLength))throw new Error(`GPUData byteStride ${this.byteStride} is smaller than its struct row layout`)}this.readbackMetadata=u,this.valueOffsets=d,this.nullBitmap=h,this.valueByteLength=p}getChild(e){if(!Ql(this.format))return null;let t=this.format.fields[e];return t?new Jt({buffer:this.buffer,format:t.format,length:this.length,byteOffset:this.byteOffset+t.byteOffset,byteStride:this.byteStride}):null}getChildAt(e){if(!Ql(this.format))return null;let t=Object.values(this.format.fields)[e];return t?new Jt({buffer:this.buffer,format:t.format,length:this.length,byteOffset:this.byteOffset+t.byteOffset,byteStride:this.byteStride}):null}},xn=tg});function bP(r){let e=r.format?Qt(r.format):void 0,t=r.rowByteLength??r.byteStride??e?.byteLength;if(t===void 0)throw new Error("GPUVector requires format or explicit rowByteLength");return{stride:r.stride??e?.components??1,byteStride:r.byteStride??t,rowByteLength:t}}function nD(r){return r[0]?.format}function oD(r,e){if(r.find(i=>i.format!==e))throw new Error("GPUVector data chunks must share the declared format")}var Ft,vP=x(()=>{rg();Xl();Ft=class{name;dataType;format;length;valueLength;stride;byteOffset;byteStride;rowByteLength;bufferLayout;data=[];device;bufferProps;isAppendable=!1;ownsDataChunks=!0;ownedVectors=[];appendableByteLength=0;constructor(e){switch(e.type){case"buffer":{let{name:t,buffer:i,format:n,length:o,valueLength:s=o,byteOffset:a=0,ownsBuffer:c=!1}=e,{stride:l,byteStride:f,rowByteLength:u}=bP(e);this.name=t,this.dataType=e.dataType,this.format=n,this.length=o,this.valueLength=s,this.stride=l,this.byteOffset=a,this.byteStride=f,this.rowByteLength=u,this.data.push(new xn({buffer:i,format:n,length:o,valueLength:s,stride:l,byteOffset:a,byteStride:f,rowByteLength:u,ownsBuffer:c,dataType:e.dataType}));return}case"interleaved":{let{name:t,buffer:i,format:n,length:o,valueLength:s=o,byteOffset:a=0,byteStride:c,attributes:l,ownsBuffer:f=!1}=e;this.name=t,this.dataType=e.dataType,this.format=n,this.length=o,this.valueLength=s,this.stride=c,this.byteOffset=a,this.byteStride=c,this.rowByteLength=c,this.bufferLayout={name:t,byteStride:c,attributes:l},this.data.push(new xn({buffer:i,format:n,length:o,valueLength:s,stride:c,byteOffset:a,byteStride:c,rowByteLength:c,ownsBuffer:f,dataType:e.dataType}));return}case"data":{let t=e.format??nD(e.data),i=t?Qt(t):void 0,{name:n,data:o,stride:s=o[0]?.stride??i?.components??1,valueLength:a=o.reduce((d,h)=>d+h.valueLength,0),byteStride:c=o[0]?.byteStride??i?.byteLength,rowByteLength:l=o[0]?.rowByteLength??i?.byteLength,bufferLayout:f,ownsData:u=!1}=e;if(c===void 0||l===void 0)throw new Error("GPUVector requires format or explicit byte layout metadata");t&&oD(o,t),this.name=n,this.dataType=e.dataType,this.format=t,this.length=o.reduce((d,h)=>d+h.length,0),this.valueLength=a,this.stride=s,this.byteOffset=o.length===1?o[0].byteOffset:0,this.byteStride=c,this.rowByteLength=l,this.bufferLayout=f,this.ownsDataChunks=u,this.data.push(...o);return}case"appendable":{let{name:t,device:i,format:n,valueLength:o=0,bufferProps:s}=e,{stride:a,byteStride:c,rowByteLength:l}=bP(e);this.name=t,this.dataType=e.dataType,this.format=n,this.length=0,this.valueLength=o,this.stride=a,this.byteOffset=0,this.byteStride=c,this.rowByteLength=l,this.device=i,this.bufferProps=s,this.isAppendable=!0;return}}}get ownsBuffer(){return this.ownsDataChunks&&this.data.some(e=>e.ownsBuffer)||this.ownedVectors.some(e=>e.ownsBuffer)}get capacityRows(){return this.isAppendable?this.length:void 0}get appendedByteLength(){return this.appendableByteLength}addData(e){if(this.format&&e.format!==this.format)throw new Error("GPUVector.addData() requires matching formats");if(e.byteStride!==this.byteStride)throw new Error("GPUVector.addData() requires matching byteStride");if(e.rowByteLength!==this.rowByteLength)throw new Error("GPUVector.addData() requires matching rowByteLength");return this.data.push(e),this.length+=e.length,this.valueLength+=e.valueLength,this}appendDataChunk(e,t=this.appendableByteLength+e.buffer.byteLength){if(!this.isAppendable)throw new Error("GPUVector.appendDataChunk() requires appendable vector storage");if(this.format&&e.format!==this.format)throw new Error("GPUVector.appendDataChunk() requires matching formats");if(e.byteStride!==this.byteStride||e.rowByteLength!==this.rowByteLength)throw new Error("GPUVector.appendDataChunk() requires matching byte layout metadata");return this.data.push(e),this.length+=e.length,this.valueLength+=e.valueLength,this.appendableByteLength=t,this}resetLastBatch(){if(!this.isAppendable)throw new Error("GPUVector.resetLastBatch() requires appendable vector storage");for(let e of this.data.splice(0))e.destroy();return this.length=0,this.valueLength=0,this.appendableByteLength=0,this}retainOwnedVectors(e){return this.ownedVectors.push(...e),this}transferBufferOwnership(e){let t=this.data[0],i=e.data[0];if(!t||!i||t.buffer!==i.buffer)throw new Error("GPUVector ownership can only be transferred to the same buffer");t.transferBufferOwnership(i)}destroy(){if(this.ownsDataChunks)for(let e of this.data)e.destroy();for(let e of this.ownedVectors.splice(0))e.destroy()}}});var ig=x(()=>{rg();Jp();vP();Xl()});var ng,Re,Cs=x(()=>{D();ng=class{poolSize=20;bufferPools;constructor(){this.bufferPools=new Map}createOrReuse(e,t){if(t>e.limits.maxBufferSize)throw new Error(`Buffer pool cannot allocate ${t} bytes: device.limits.maxBufferSize is ${e.limits.maxBufferSize}`);let i=this.bufferPools.get(e),n=i?i.findIndex(s=>s.byteLength>=t):-1;if(n<0)return e.createBuffer({usage:F.VERTEX|F.STORAGE|F.COPY_DST|F.COPY_SRC,byteLength:t});let[o]=i.splice(n,1);return o}recycle(e){let t=e.device;this.bufferPools.has(t)||this.bufferPools.set(t,[]);let i=this.bufferPools.get(t),n=i.findIndex(o=>o.byteLength>e.byteLength);n<0?i.push(e):i.splice(n,0,e),this.purge()}purge(){for(let[e,t]of this.bufferPools){let i=e.isLost?0:this.poolSize;for(;t.length>i;)t.shift().destroy();t.length===0&&this.bufferPools.delete(e)}}},Re=new ng});function sD(r,e,t,i){let{ValueType:n,size:o,offset:s,stride:a}=r,c=a/n.BYTES_PER_ELEMENT,l=s/n.BYTES_PER_ELEMENT,f=i-t;if(c===o){let d=l+t*c;return e.subarray(d,d+f*o)}let u=new n(f*o);for(let d=0;d<f;d++){let h=l+(t+d)*c;u.set(e.subarray(h,h+o),d*o)}return u}function ef(r){if(r instanceof j)return r;if(typeof r=="number"||Array.isArray(r))return j.fromConstant(r);if(r instanceof xn)return j.fromGPUData(r);if(r instanceof Jt)return j.fromGPUDataView(r);throw new Error("getGPUDataEvaluator() requires GPUDataEvaluator, GPUData, GPUDataView, number, or number[]")}function aD(r){if(!r.format)throw new Error("GPUDataEvaluator.fromGPUData() requires GPUData format metadata");if(ql(r.format)||Zl(r.format))throw new Error("GPUDataEvaluator.fromGPUData() does not support variable-length input");let t=Qt(r.format).byteLength;if(r.rowByteLength!==t)throw new Error(`GPUDataEvaluator.fromGPUData() requires rowByteLength ${t} for GPUData`)}function wP(r){let e=Qt(r.format),t=Fr(e.signedDataType),i=t.BYTES_PER_ELEMENT*e.components;if(e.byteLength!==i)throw new Error(`GPUDataEvaluator does not support packed vertex format ${r.format}: ${e.byteLength} physical bytes cannot expose ${e.components} ${e.signedDataType} components`);if(r.byteOffset%t.BYTES_PER_ELEMENT!==0||r.byteStride%t.BYTES_PER_ELEMENT!==0)throw new Error(`GPUDataEvaluator requires ${r.format} offset and stride aligned to ${t.BYTES_PER_ELEMENT} bytes`);return{type:e.signedDataType,size:e.components,offset:r.byteOffset,stride:r.byteStride,normalized:e.normalized,length:r.length,format:r.format}}function Jl(r){let e=cD(r).buffer;return e instanceof ve?e.buffer:e}function cD(r){let[e,...t]=r.data;if(!e||t.length>0)throw new Error(`GPUDataEvaluator requires exactly one GPUData chunk for "${r.name}"`);return e}function lD(r){let e=[];return PP(r,e,{byteOffset:0}),e}function PP(r,e,t){let i=r.source;if(i&&!(i instanceof j)&&i.name==="interleave"){for(let n of Object.values(i.inputs))n instanceof j&&PP(n,e,t);return}e.push({attribute:r.id??r.toString(),format:EP(r.type,r.size,r.normalized),byteOffset:t.byteOffset}),t.byteOffset+=r.ValueType.BYTES_PER_ELEMENT*r.size}function EP(r,e,t=!1){if(e<1||e>4)throw new Error(`Cannot synthesize a GPUVector vertex format with ${e} components`);let i=r;if(t)switch(r){case"uint8":i="unorm8";break;case"sint8":i="snorm8";break;case"uint16":i="unorm16";break;case"sint16":i="snorm16";break;case"float32":i="float32";break;default:throw new Error(`Unsupported normalized vertex format for ${r}`)}return(i==="uint8"||i==="sint8"||i==="uint16"||i==="sint16"||i==="unorm8"||i==="snorm8"||i==="unorm16"||i==="snorm16")&&e===3?`${i}x3-webgl`:`${i}${e===1?"":`x${e}`}`}function fD(r,e,t=!1){return e>=1&&e<=4?EP(r,e,t):void 0}var j,er=x(()=>{D();q();ig();Cs();j=class r{static get bufferPoolSize(){return Re.poolSize}static set bufferPoolSize(e){if(!Number.isSafeInteger(e)||e<0)throw new Error("GPUDataEvaluator.bufferPoolSize must be a non-negative safe integer");Re.poolSize=e,Re.purge()}type;size;get offset(){return this._offset}get stride(){return this._stride}normalized;isConstant;length;get byteLength(){return this._byteLength}ValueType;source=null;format;_id;_destroyed=!1;_value;_offset;_stride;_byteLength;_gpuVector;_bufferOwnership="owned";_targetBuffer;static fromArray(e,{type:t,size:i=1,offset:n=0,stride:o=0,normalized:s=!1}){let a=t,c;if(Array.isArray(e)){a=a||"float32";let f=Fr(a);c=new f(e)}else e instanceof Float64Array?(a="uint32",i*=2,n*=2,o*=2,c=new Uint32Array(e.buffer,e.byteOffset,e.byteLength/4)):(a=a||Xa(e),c=e);let l=`<${a} * ${i}>`;return new r({id:l,type:a,size:i,offset:n,stride:o,normalized:s,value:c})}static fromConstant(e,t="float32"){let i=Fr(t),n;return Array.isArray(e)?n=`[${e.join(",")}]`:(n=String(e),e=[e]),new r({id:n,isConstant:!0,type:t,size:e.length,value:new i(e)})}static fromGPUData(e,t={}){aD(e);let i=new Jt({buffer:e.buffer,format:e.format,length:e.length,byteOffset:e.byteOffset,byteStride:e.byteStride});return new r({...wP(i),id:t.id,gpuData:e})}static fromGPUDataView(e,t={}){return new r({...wP(e),id:t.id,buffer:e.buffer})}constructor(e){let{id:t,value:i,buffer:n,gpuData:o,format:s,source:a=null,isConstant:c=!1}=e;if(!a&&!i&&!n&&!o)throw new Error("GPUDataEvaluator must have a value source");let{type:l,size:f,offset:u,stride:d,normalized:h,length:p}=e;if(a instanceof r?(l=l??a.type,f=f??a.size,u=u??a.offset,d=d??a.stride,h=h??a.normalized,p=p??a.length):(f=f??1,u=u??0,h=h??!1,p=c?1:p),!l)throw new Error("GPUDataEvaluator: type not defined");if(this._id=t,this.type=l,this.size=f,this.ValueType=Fr(this.type),this._offset=u,this._stride=d||this.ValueType.BYTES_PER_ELEMENT*f,this.normalized=h,this.source=a,this.format=s,p===void 0)if(c)p=1;else{if(!i)throw new Error("GPUDataEvaluator: length not defined");p=Math.ceil(i.byteLength/this.stride)}this.isConstant=c,this.length=p;let g=this.ValueType.BYTES_PER_ELEMENT*this.size;this._byteLength=p===0?0:(p-1)*this.stride+g,this._value=i,this._bufferOwnership=a instanceof r||n||o?"borrowed":"owned",o?this._gpuVector=new Ft({type:"data",name:this._id??"data",format:o.format,data:[o],stride:o.stride,byteStride:o.byteStride,rowByteLength:o.rowByteLength}):n&&(this._gpuVector=this.createGPUVectorView({buffer:n,name:this._id,format:this.format}))}get value(){return this._value||(this.source instanceof r?this.source.value:void 0)}get evaluated(){return!!this._gpuVector}get id(){return this._id}get gpuVector(){if(!this._gpuVector)throw new Error(`${this} not evaluated`);return this._gpuVector}get buffer(){return Jl(this.gpuVector)}setTargetBuffer({buffer:e,byteOffset:t=0,byteStride:i=this.stride}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)throw new Error(`GPUDataEvaluator ${this} already evaluated`);if(!this.source||this.source instanceof r)throw new Error("GPUDataEvaluator target buffers require a deferred operation source");this._targetBuffer={buffer:e,byteOffset:t,byteStride:i}}async evaluate(e,t={}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let i;if(this.source instanceof r){let n=await this.source.evaluate(e);return this._gpuVector=this.createGPUVectorView({...t,buffer:Jl(n)}),this._gpuVector}if(i=this._getEvaluationBuffer(e),this._value)i.write(this._value);else{let n=await this.source.execute(e,i);if(!n.success)throw n.error||new Error(`${this.source} evaluation failed`);n.value&&(this._value=n.value)}return this._gpuVector=this.createGPUVectorView({...t,buffer:i}),this._gpuVector}evaluateSync(e,t={}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let i;if(this.source instanceof r){let n=this.source.evaluateSync(e);return this._gpuVector=this.createGPUVectorView({...t,buffer:Jl(n)}),this._gpuVector}if(i=this._getEvaluationBuffer(e),this._value)i.write(this._value);else{let n=this.source.executeSync(e,i);if(!n.success)throw n.error||new Error(`${this.source} evaluation failed`);n.value&&(this._value=n.value)}return this._gpuVector=this.createGPUVectorView({...t,buffer:i}),this._gpuVector}createGPUVectorView(e){let t=e.name??this._id??"vector",i=e.format??this.format??fD(this.type,this.size,this.normalized);if(e.interleaved){let n=typeof e.interleaved=="object"&&e.interleaved.attributes?e.interleaved.attributes:lD(this);return new Ft({type:"interleaved",name:t,buffer:e.buffer,format:e.format??this.format,length:this.length,byteOffset:this.offset,byteStride:this.stride,attributes:n,ownsBuffer:!1})}return new Ft({type:"buffer",name:t,buffer:e.buffer,format:i,length:this.length,stride:this.size,byteOffset:this.offset,byteStride:this.stride,rowByteLength:this.ValueType.BYTES_PER_ELEMENT*this.size,ownsBuffer:!1})}_getEvaluationBuffer(e){let t=this._targetBuffer;if(!t)return Re.createOrReuse(e,this.byteLength);if(t.buffer.device!==e)throw new Error("GPUDataEvaluator target buffer belongs to a different device");let i=this.ValueType.BYTES_PER_ELEMENT*this.size,n=this.length===0?0:(this.length-1)*t.byteStride+i;if(t.byteOffset+n>t.buffer.byteLength)throw new Error("GPUDataEvaluator target buffer is too small for the output layout");return this._offset=t.byteOffset,this._stride=t.byteStride,this._byteLength=n,this._bufferOwnership="borrowed",this._targetBuffer=void 0,t.buffer}async readValue(e=0,t){let{ValueType:i}=this,{size:n,offset:o,stride:s,length:a}=this,c=i.BYTES_PER_ELEMENT*n;if(t=t??a,e=Math.max(0,Math.min(a,e)),t=Math.max(e,Math.min(a,t)),this._value)return sD(this,this._value,e,t);let l=t-e;if(l===0)return new i(0);let f=o+e*s,u=s===c?l*c:(l-1)*s+c,d=await this.buffer.readAsync(f,u),h=new i(d.buffer,d.byteOffset,d.byteLength/i.BYTES_PER_ELEMENT);if(s===c)return h;let p=new Uint8Array(c*l);for(let g=0;g<l;g++){let m=g*s;p.set(d.subarray(m,m+c),g*c)}return new i(p.buffer)}async ensureCPUValue(){let e=this.value;if(e)return e;let t=await this.buffer.readAsync(0,this.offset+this.byteLength);if(t.byteLength%this.ValueType.BYTES_PER_ELEMENT!==0)throw new Error(`${this} backing buffer byte length is not aligned to its scalar type`);let i=t.slice();return this._value=new this.ValueType(i.buffer,i.byteOffset,i.byteLength/this.ValueType.BYTES_PER_ELEMENT),this._value}ensureCPUValueSync(){let e=this.value;if(e)return e;throw new Error(`${this} CPU value is not available for synchronous evaluation`)}toString(){return this._id??this.source?.toString()??this.constructor.name}destroy(){this._gpuVector&&(this._bufferOwnership==="owned"&&Re.recycle(Jl(this._gpuVector)),this._gpuVector=void 0),this._targetBuffer=void 0,this._destroyed=!0}}});var bn,tf=x(()=>{bn={add:{arity:2,symbol:"arithmetic_add"},subtract:{arity:2,symbol:"arithmetic_subtract"},multiply:{arity:2,symbol:"arithmetic_multiply"},divide:{arity:2,symbol:"arithmetic_divide"},pow:{arity:2,symbol:"pow"},sqrt:{arity:1,symbol:"sqrt"},abs:{arity:1,symbol:"abs"},sin:{arity:1,symbol:"sin"},cos:{arity:1,symbol:"cos"},tan:{arity:1,symbol:"arithmetic_tan"},exp:{arity:1,symbol:"exp"},log:{arity:1,symbol:"log"}}});function zP(r,{operations:e,inputs:t}){switch(r.kind){case"input":if(!(r.name in t))throw new Error(`Unknown expression input '${r.name}'`);return;case"literal":if(Array.isArray(r.value)){for(let i of r.value)if(!Number.isFinite(i))throw new Error(`Expression literal array must contain only finite values, got ${i}`)}else if(!Number.isFinite(r.value))throw new Error(`Expression literal must be finite, got ${r.value}`);return;case"call":{let i=e[r.op];if(!i)throw new Error(`Unknown expression op '${r.op}'`);if(r.args.length!==i.arity)throw new Error(`Expression op '${r.op}' expects ${i.arity} args, got ${r.args.length}`);for(let n of r.args)zP(n,{operations:e,inputs:t});return}default:{let i=r;throw new Error(`Unsupported expression node ${i.kind}`)}}}function rf(r,e){return zP(r,e),UP(r,e)}function UP(r,e){switch(r.kind){case"input":{let t=e.inputs[r.name];return e.laneIndex<t.size?e.formatInput(r.name):e.formatOutOfBoundsInput(r.name)}case"literal":return e.formatLiteral(r.value);case"call":{let t=e.operations[r.op],i=r.args.map(n=>UP(n,e));return e.formatCall(t.symbol,i)}default:{let t=r;throw new Error(`Unsupported expression node ${t.kind}`)}}}var cg=x(()=>{});function Pe(r,e,t=!1){if(t)return e===1?"float":`vec${e}`;switch(r){case"uint8":case"uint16":case"uint32":return e===1?"uint":`uvec${e}`;case"sint8":case"sint16":case"sint32":return e===1?"int":`ivec${e}`;default:return e===1?"float":`vec${e}`}}function nf(r,e,t=!1){let i;if(t)switch(r){case"uint8":i="unorm8";break;case"sint8":i="snorm8";break;case"uint16":i="unorm16";break;case"sint16":i="snorm16";break;case"float32":i="float32";break;default:throw new Error(`Unsupported normalized vertex format for ${r}`)}else i=r;return e===1?i:e===3&&!i.startsWith("float32")&&!i.endsWith("32")?`${i}x3-webgl`:`${i}x${e}`}function Pr(r){switch(r[0]){case"u":return"0u";case"s":return"0";default:return"0."}}function GP(r,e){switch(r){case"uint8":case"uint16":case"uint32":return`${Math.trunc(e)}u`;case"sint8":case"sint16":case"sint32":return`${Math.trunc(e)}`;default:return Number.isInteger(e)?`${e}.0`:`${e}`}}function VP(r){switch(r){case"uint8":return"r8uint";case"sint8":return"r8sint";case"uint16":return"r16uint";case"sint16":return"r16sint";case"uint32":return"r32uint";case"sint32":return"r32sint";case"float32":return"r32float";default:throw new Error(`Unsupported WebGL gather texture format for ${r}`)}}function $P(r){switch(r){case"uint32":return"usampler2D";case"sint32":return"isampler2D";case"float32":return"sampler2D";default:throw new Error(`Unsupported WebGL gather sampler type for ${r}`)}}var wn=x(()=>{});function Ee({module:r,elementWise:e=!1,expression:t,inputs:i,output:n,operationType:o=n.type,outputBuffer:s}){let a=s.device,c=xi("result",n.type,n.size,n.normalized),l=[r,c],f=[],u={},d=Pe(n.type,1,n.normalized),h=Pe(o,1,n.normalized),p="",g=null,m={TYPE:h,RESULT_LEN:n.size.toString()},y=xD(i);for(let[w,P]of y)l.push(lg(w,P.type,P.size,P.normalized,o)),f.push(fg(w,P)),P instanceof j?u[w]=P.buffer:(g=g||Re.createOrReuse(a,s.byteLength),u[w]=g),p+=`TYPE ${w}[${P.size}]; get_${w}(${w});
`,m[`${w.toUpperCase()}_LEN`]=P.size.toString();let v="";if(t)for(let w=0;w<n.size;w++)v+=`result[${w}]=${t(w)};
`;else if(e)for(let w=0;w<n.size;w++){let P=Pr(h),L=y.map(([T,C])=>w<C.size?`${T}[${w}]`:P);v+=`result[${w}]=${r.name}(${L.join(", ")});
`}else v=`${r.name}(${y.map(([w])=>w).join(", ")}, result);`;let _=`#version 300 es

void main() {
${p}
${d} result[${n.size}];
${v}
set_result(result);
}
  `,b=new we(a,{vs:_,shaderAssembler:yD,defines:m,modules:l,bufferLayout:f,vertexCount:1,instanceCount:n.length,attributes:u,feedbackBufferMode:"interleaved",outputs:c.varyings});a.statsManager.getStats(mD).get(_D).incrementCount(),b.run({inputBuffers:u,outputBuffers:{[c.varyings[0]]:n.offset===0?s:{buffer:s,byteOffset:n.offset,byteLength:n.byteLength}}}),g&&Re.recycle(g)}function xD(r){return Array.isArray(r)?r.map((e,t)=>[`x${t}`,e]):Object.entries(r)}function lg(r,e,t,i=!1,n=e){let o="",s="";for(let c=0;c<t;c+=4){let l=Math.min(t-c,4),f=Pe(e,l,i);o+=`in ${f} a${r}_${c};
`;for(let u=0;u<l;u++){let d=`a${r}_${c}`;l>1&&(d=`${d}[${u}]`),(i||e!==n)&&(d=`TYPE(${d})`),s+=`v[${c+u}]=${d};
`}}let a=`
${o}
void get_${r}(out TYPE v[${t}]) {
  ${s}
}
`;return{name:r,vs:a}}function fg(r,e){let t={name:r,stepMode:e.isConstant?"vertex":"instance",byteStride:e.stride,attributes:[]};for(let i=0;i<e.size;i+=4){let n=Math.min(e.size-i,4);t.attributes.push({attribute:`a${r}_${i}`,format:nf(e.type,n,e.normalized),byteOffset:e.offset+e.ValueType.BYTES_PER_ELEMENT*i})}return t}function xi(r,e,t,i=!1){let n=[],o=Pe(e,1,i),s="",a="";for(let c=0;c<t;c+=4){let l=Math.min(t-c,4),f=Pe(e,l,i);n.push(`${r}_${c}`),s+=`flat out ${f} ${r}_${c};
`;let u=Array.from({length:l},(d,h)=>c+h);a+=`${r}_${c} = ${f}(${u.map(d=>`v[${d}]`).join(",")});
`}return{name:r,varyings:n,vs:`
${s}
void set_${r}(in ${o} v[${t}]) {
  ${a}
}
`}}var mD,_D,yD,Ye=x(()=>{q();Be();er();Cs();wn();mD="GPGPU Operation Counts",_D="Transform Runs",yD=new Ui});var bD,of,ug=x(()=>{Be();cg();tf();Ye();wn();bD=`TYPE arithmetic_add(TYPE x, TYPE y) {
  return x + y;
}

TYPE arithmetic_subtract(TYPE x, TYPE y) {
  return x - y;
}

TYPE arithmetic_multiply(TYPE x, TYPE y) {
  return x * y;
}

TYPE arithmetic_divide(TYPE x, TYPE y) {
  return x / y;
}

float arithmetic_tan(float x) {
  return tan_fp32(x);
}
`,of=({inputs:r,output:e,target:t})=>{let i=e.type,n=Pe(i,1,e.normalized),o=Pr(n),s=r.namedInputs;return Ee({module:{name:"arithmetic",dependencies:[ti],vs:bD},inputs:s,output:e,operationType:i,outputBuffer:t,expression:a=>rf(r.expression,{operations:bn,inputs:s,laneIndex:a,formatInput:c=>`${c}[${a}]`,formatOutOfBoundsInput:c=>s[c].size===1?`${c}[0]`:o,formatLiteral:c=>{let l=Array.isArray(c)?c[a]??0:c;return`${n}(${GP(i,l)})`},formatCall:(c,l)=>`${c}(${l.join(", ")})`})}),{success:!0}}});var vD,wD,jP,WP,HP=x(()=>{D();q();er();Cs();ug();Ye();vD="GPGPU Operation Counts",wD="Transform Runs",jP=({inputs:r,output:e,target:t})=>{let{sourceValues:i}=r,n=t.device;if(i.length===0){let u=new e.ValueType(e.length*e.size);return t.write(u),{success:!0,value:u}}if(i.isConstant){let u=i.value,d=new e.ValueType(e.length*e.size);for(let h=0;h<e.length;h++){let p=u[h];d[h*2]=p,d[h*2+1]=p}return t.write(d),{success:!0,value:d}}let o=n.createTexture({width:1,height:e.length,format:"rg32float",usage:V.RENDER|V.COPY_SRC|V.COPY_DST}),s=n.createFramebuffer({colorAttachments:[o]}),a=`#version 300 es

flat out float extent_value;

void main() {
  float sourceValues[SOURCE_VALUES_LEN];
  get_sourceValues(sourceValues);
  extent_value = sourceValues[gl_VertexID];

  float y = (float(gl_VertexID) + 0.5) / float(CHANNEL_COUNT) * 2.0 - 1.0;
  gl_Position = vec4(0.0, y, 0.0, 1.0);
  gl_PointSize = 1.0;
}
  `,c=`#version 300 es

precision highp float;

flat in float extent_value;
out vec2 fragColor;

void main() {
  fragColor = vec2(-extent_value, extent_value);
}
  `,l=new Z(n,{vs:a,fs:c,topology:"point-list",parameters:{depthCompare:"always",blend:!0,blendColorSrcFactor:"one",blendColorDstFactor:"one",blendColorOperation:"max",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",blendAlphaOperation:"max"},modules:[lg("sourceValues",i.type,i.size,i.normalized)],defines:{TYPE:"float",SOURCE_VALUES_LEN:i.size.toString(),CHANNEL_COUNT:e.length.toString()},attributes:{sourceValues:i.buffer},bufferLayout:[fg("sourceValues",i)],instanceCount:i.length,vertexCount:e.length,disableWarnings:!0}),f=Re.createOrReuse(n,e.byteLength);try{let u=n.beginRenderPass({framebuffer:s,parameters:{viewport:[0,0,1,e.length]},clearColor:[-WP,-WP,0,0],clearDepth:!1,clearStencil:!1});n.statsManager.getStats(vD).get(wD).incrementCount(),l.draw(u),u.end();let d=n.createCommandEncoder();return d.copyTextureToBuffer({sourceTexture:o,width:1,height:e.length,destinationBuffer:f,byteOffset:0,bytesPerRow:8}),n.submit(d.finish()),of({device:n,inputs:{expression:{kind:"call",op:"multiply",args:[{kind:"input",name:"x"},{kind:"literal",value:[-1,1]}]},namedInputs:{x:new j({buffer:f,size:2,type:"float32",length:e.length})}},output:e,target:t})}finally{l.destroy(),Re.recycle(f),s.destroy(),o.destroy()}},WP=3e38});function PD(r,e){let t=e.reduce((i,[,n])=>i+Math.ceil(n.size/4),0);if(t>r)throw new Error(`interleave() requires ${t} vertex attributes, exceeding device limit ${r}`)}function ED(r,e){if(e.size>r)throw new Error(`interleave() output size ${e.size} exceeds device inter-stage component limit ${r}`)}var YP,qP=x(()=>{Ye();YP=({inputs:r,output:e,target:t})=>{let i=r.map((c,l)=>[`x${l}`,c]);PD(t.device.limits.maxVertexAttributes,i),ED(t.device.limits.maxInterStageShaderVariables,e);let n=i.map(([c,l])=>`in TYPE ${c}[${l.size}]`).join(", "),o=0,s=i.map(([c,l])=>{let f=Array.from({length:l.size},(u,d)=>`  result[${o+d}] = ${c}[${d}];`).join(`
`);return o+=l.size,f}).join(`
`),a=`void interleave(${n}, out TYPE result[RESULT_LEN]) {
${s}
}
`;return Ee({module:{name:"interleave",vs:a},inputs:r,output:e,outputBuffer:t}),{success:!0}}});function SD(){let r=new Uint16Array([255]);return new Uint8Array(r.buffer)[0]>0}var TD,ZP,XP=x(()=>{Ye();TD=`#define LE ${SD()?1:0}
const uint F32_NAN = 0xffffffffu;
const uint F32_INF = 0x7f800000u;

// Find first set bit using binary search
// https://en.wikipedia.org/wiki/Find_first_set#CLZ
int countLeadingZeros(uint a) {
  if (a == 0u) return 32;
  int n = 0;
  if ((a & 0xffff0000u) == 0u) { n += 16; a = a << 16; }
  if ((a & 0xff000000u) == 0u) { n += 8;  a = a << 8;  }
  if ((a & 0xf0000000u) == 0u) { n += 4;  a = a << 4;  }
  if ((a & 0xc0000000u) == 0u) { n += 2;  a = a << 2;  }
  if ((a & 0x80000000u) == 0u) return n + 1;
  return n;
}

uint roundShiftRight(uint value, int shift) {
  if (shift <= 0) {
    return value << (-shift);
  }

  if (shift >= 32) {
    if (shift == 32 && value > 0x80000000u) {
      return 1u;
    }
    return 0u;
  }

  uint truncated = value >> shift;
  uint halfShift = 1u << (shift - 1);
  uint remainder = value & ((1u << shift) - 1u);
  if (remainder > halfShift || (remainder == halfShift && (truncated & 1u) == 1u)) {
    return truncated + 1u;
  }
  return truncated;
}

uint makeFloat_(uint sign, int exponent, uint mantissa) {
  return (sign << 31) | (uint(exponent + 127) << 23) | (mantissa & 0x7fffffu);
}

/**
 * Assemble a float32 in bit representation according to IEEE 754
 * https://en.wikipedia.org/wiki/Single-precision_floating-point_format
 */
uint makeFloat(uint sign, int exponent, uint significand) {
  if (significand == 0u) {
    return sign << 31;
  }

  // Remove any extra leading zeros for better precision
  int lead_zeros = countLeadingZeros(significand);
  // Significand is encoded as 1.fraction
  int normalizedExponent = exponent + 31 - lead_zeros;

  if (normalizedExponent > 127) {
    return (sign << 31) | F32_INF;
  }

  uint mantissa;
  if (normalizedExponent >= -126) {
    mantissa = roundShiftRight(significand, 8 - lead_zeros);
    if (mantissa >= 0x1000000u) {
      mantissa >>= 1;
      normalizedExponent++;
      if (normalizedExponent > 127) {
        return (sign << 31) | F32_INF;
      }
    }
    return makeFloat_(sign, normalizedExponent, mantissa);
  }

  int subnormalShift = -149 - exponent;
  mantissa = roundShiftRight(significand, subnormalShift);
  if (mantissa >= 0x800000u) {
    return (sign << 31) | (1u << 23);
  }
  return (sign << 31) | mantissa;
}

/**
 * Parse 8-byte memory as a float64 number according to IEEE 754
 * https://en.wikipedia.org/wiki/Double-precision_floating-point_format
 * Returns 8-byte memory as 2 float32 numbers, consisting of
 * high part: fround(d)
 * low part: d - fround(d)
 */
uvec2 parseAsDouble(uvec2 d) {
  #if LE
  d = d.yx; // to big endian
  #endif

  uint sign = (d[0] >> 31) & 1u; // first bit
  uint exponentBits = (d[0] >> 20) & 0x7ffu;
  int exponent = int(exponentBits) - 1023; // next 11 bits
  uint fractionHigh = d[0] & 0xfffffu;
  uint fractionLow = d[1];

  if (exponentBits == 0x7ffu) {
    if (fractionHigh == 0u && fractionLow == 0u) {
      return uvec2((sign << 31) | F32_INF, F32_NAN);
    }
    return uvec2(F32_NAN);
  }
  
  if (exponentBits == 0u) {
    // All float64 subnormals are too small to survive a float32 split.
    return uvec2(sign << 31);
  }

  if (exponent > 127) {
    return uvec2((sign << 31) | F32_INF, ((1u - sign) << 31) | F32_INF);
  }

  uint hi_part;
  uint low_part;

  // float64 significand has 52 bits
  // float32 significand has 23 bits
  // The significand of the high part is the significand of the double, trimmed
  uint f_hi = 0x800000u | (fractionHigh << 3) | (fractionLow >> 29);
  uint f_low = fractionLow & 0x1fffffffu;

  if (exponent < -126) {
    // For tiny normals, the top 24 significand bits still contribute to the float32
    // high part, but they land in the float32 subnormal range.
    hi_part = makeFloat(sign, exponent - 23, f_hi);

    // The residual keeps the remaining 29 significand bits at the original double scale.
    low_part = makeFloat(sign, exponent - 52, f_low);
    return uvec2(hi_part, low_part);
  }

  bool roundUp = f_low > 0x10000000u || (f_low == 0x10000000u && (f_hi & 1u) == 1u);

  uint f_rounded = f_hi + (roundUp ? 1u : 0u);
  int exponent_hi = exponent;
  if (f_rounded == 0x1000000u) {
    f_rounded = 0x800000u;
    exponent_hi++;
  }

  if (exponent_hi > 127) {
    // Overflows float32 limit
    hi_part = (sign << 31) | F32_INF;
    low_part = ((1u - sign) << 31) | F32_INF;
    return uvec2(hi_part, low_part);
  }
  
  hi_part = makeFloat_(sign, exponent_hi, f_rounded);

  int remainder = int(f_low);
  uint sign_low = sign;
  if (roundUp) {
    remainder -= 0x20000000;
  }
  if (remainder < 0) {
    sign_low = 1u - sign;
    remainder = -remainder;
  }
  low_part = makeFloat(sign_low, exponent - 52, uint(remainder));

  return uvec2(hi_part, low_part);
}

void fround(in uint x[X_LEN], out float result[X_LEN]) {
  int n = X_LEN / 2;
  for (int i = 0; i < n; i++) {
    uvec2 f = parseAsDouble(uvec2(x[i * 2], x[i * 2 + 1]));
    result[i] = uintBitsToFloat(f.x);
    result[i + n] = uintBitsToFloat(f.y);
  }
}
`,ZP=({inputs:r,output:e,target:t})=>(Ee({module:{name:"fround",vs:TD},inputs:r,output:e,operationType:"uint32",outputBuffer:t}),{success:!0})});function sf(r,e,t){let i=$P(t),n=Pe(e,1),o=Array.from({length:r.size},(s,a)=>`  v[${a}] = ${n}(texelFetch(source_values_texture, ivec2(${a}, rowIndex), 0).r);`).join(`
`);return{name:"source_values_texture",vs:`
uniform highp ${i} source_values_texture;
void read_source_values(int rowIndex, out TYPE v[${r.size}]) {
${o}
}
`}}function af(r,e,t){let i=t.createTexture({width:Math.max(r.size,1),height:r.length,format:VP(e),usage:V.SAMPLE|V.COPY_DST});if(r.length===0)return i;let n=t.createCommandEncoder();return n.copyBufferToTexture({sourceBuffer:r.buffer,destinationTexture:i,byteOffset:r.offset,bytesPerRow:r.stride,rowsPerImage:r.length,size:[r.size,r.length,1]}),t.submit(n.finish()),i}var dg=x(()=>{D();wn()});function LD(r,e){let t=Pe(r.type,1),i="aids_0";return r.type!==MD(e)&&(i=`${e}(${i})`),{name:"ids",vs:`
in ${t} aids_0;
void get_ids(out INDEX_TYPE v[1]) {
  v[0] = ${i};
}
`}}function CD(r){return{name:"ids",stepMode:r.isConstant?"vertex":"instance",byteStride:r.stride,attributes:[{attribute:"aids_0",format:nf(r.type,1,r.normalized),byteOffset:r.offset}]}}function AD(r){return{name:"gather",vs:`
void zero_result(out TYPE result[RESULT_LEN]) {
  for (int i = 0; i < RESULT_LEN; i++) {
    result[i] = ${Pr(r)};
  }
}

void gather(in INDEX_TYPE ids[1], out TYPE result[RESULT_LEN]) {
  int sourceIndex = int(ids[0]);
  if (sourceIndex < 0 || sourceIndex >= SOURCE_VALUES_ROWS) {
    zero_result(result);
    return;
  }
  read_source_values(sourceIndex, result);
}
`}}function MD(r){switch(r){case"uint":return"uint32";case"int":return"sint32";default:return"float32"}}var KP,QP=x(()=>{q();wn();Ye();dg();KP=async({inputs:r,output:e,target:t})=>{let{ids:i,sourceValues:n}=r,o=t.device,s=xi("result",e.type,e.size),a=Pe(i.type,1),c=Pe(e.type,1),l=e.type,f=af(n,l,o),u=`#version 300 es

void main() {
  INDEX_TYPE ids[1];
  get_ids(ids);
  TYPE result[${e.size}];
  gather(ids, result);
  set_result(result);
}
  `,d=new we(o,{vs:u,defines:{INDEX_TYPE:a,TYPE:c,RESULT_LEN:e.size.toString(),SOURCE_VALUES_ROWS:n.length.toString()},modules:[LD(i,a),sf(n,e.type,l),AD(e.type),s],bindings:{source_values_texture:f},bufferLayout:[CD(i)],vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:s.varyings});try{return d.run({inputBuffers:{ids:i.buffer},outputBuffers:{[s.varyings[0]]:t}}),{success:!0}}finally{d.destroy(),f.destroy()}}});var ID,JP,e2=x(()=>{Ye();ID=`void row_dot(in TYPE x[X_LEN], in TYPE y[Y_LEN], out float result[1]) {
  float sum = 0.0;
  for (int i = 0; i < X_LEN; i++) {
    sum += float(x[i]) * float(y[i]);
  }
  result[0] = sum;
}
`,JP=({inputs:r,output:e,target:t})=>(Ee({module:{name:"row_dot",vs:ID},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});var RD,t2,r2=x(()=>{Ye();RD=`void equalAll(in TYPE x[X_LEN], in TYPE y[Y_LEN], out uint result[1]) {
  uint allEqual = uint(1);
  for (int i = 0; i < X_LEN; i++) {
    if (x[i] != y[i]) {
      allEqual = uint(0);
      break;
    }
  }
  result[0] = allEqual;
}
`,t2=({inputs:r,output:e,target:t})=>(Ee({module:{name:"equalAll",vs:RD},inputs:r,output:e,operationType:e.type==="uint32"?r.x.type:e.type,outputBuffer:t}),{success:!0})});var OD,i2,n2=x(()=>{Ye();OD=`void row_length(in TYPE x[X_LEN], out float result[1]) {
  float sum = 0.0;
  for (int i = 0; i < X_LEN; i++) {
    sum += float(x[i]) * float(x[i]);
  }
  result[0] = sqrt(sum);
}
`,i2=({inputs:r,output:e,target:t})=>(Ee({module:{name:"row_length",vs:OD},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});function BD(){return{name:"segmentedMap",vs:`
uint read_segment_start(int segmentIndex) {
  TYPE value[1];
  read_source_values(segmentIndex, value);
  return uint(value[0]);
}

void segmentedMap(out TYPE result[RESULT_LEN]) {
  uint vertexIndex = uint(gl_InstanceID);
  int low = 0;
  int high = SEGMENTS_LENGTH;

  while (low < high) {
    int mid = low + (high - low) / 2;
    uint midStart = read_segment_start(mid);
    if (midStart <= vertexIndex) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }

  uint segmentIndex = uint(max(low - 1, 0));
  uint segmentStart = read_segment_start(int(segmentIndex));
  result[0] = segmentIndex;
  result[1] = vertexIndex - segmentStart;
}
`}}var o2,s2=x(()=>{q();dg();Ye();o2=async({inputs:r,output:e,target:t})=>{let{segments:i}=r,n=t.device,o=xi("result",e.type,e.size),s=i.type,a=af(i,s,n),c=new we(n,{vs:`#version 300 es

void main() {
  TYPE result[RESULT_LEN];
  segmentedMap(result);
  set_result(result);
}
`,defines:{TYPE:"uint",RESULT_LEN:e.size.toString(),SEGMENTS_LENGTH:i.length.toString()},modules:[sf(i,e.type,s),BD(),o],bindings:{source_values_texture:a},vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:o.varyings});try{return c.run({outputBuffers:{[o.varyings[0]]:t}}),{success:!0}}finally{c.destroy(),a.destroy()}}});function hg(r,e,t,i){return t<e.size?`${r}[${t}]`:e.size===1?`${r}[0]`:i}var a2,c2=x(()=>{Ye();wn();a2=async({inputs:r,output:e,target:t})=>{let i=Pe(e.type,1,e.normalized),n=Pr(i);return Ee({module:{name:"select",vs:""},inputs:r,output:e,operationType:e.type,outputBuffer:t,expression:o=>{let s=hg("condition",r.condition,o,n),a=hg("whenTrue",r.whenTrue,o,n),c=hg("whenFalse",r.whenFalse,o,n);return`(${s} != ${n} ? ${a} : ${c})`}}),{success:!0}}});var l2,f2=x(()=>{q();Ye();l2=({inputs:r,output:e,target:t})=>{let i=xi("result",e.type,e.size),n=new we(t.device,{vs:`#version 300 es

void main() {
  int result[1];
  result[0] = START + gl_InstanceID * STEP;
  set_result(result);
}
`,defines:{START:r.start.toString(),STEP:r.step.toString()},modules:[i],vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:i.varyings});try{return n.run({outputBuffers:{[i.varyings[0]]:t}}),{success:!0}}finally{n.destroy()}}});var u2,d2=x(()=>{Ye();u2=({inputs:r,output:e,target:t})=>{let{columns:i}=r;return Ee({module:{name:"swizzle",vs:"// swizzle expression handled inline"},expression:n=>`x[${i[n]}]`,inputs:{x:r.x},output:e,outputBuffer:t}),{success:!0}}});var h2={};Gt(h2,{arithmetic:()=>of,dot:()=>JP,equalAll:()=>t2,extent:()=>jP,fround:()=>ZP,gather:()=>KP,interleave:()=>YP,length:()=>i2,segmentedMap:()=>o2,select:()=>a2,sequence:()=>l2,swizzle:()=>u2});var p2=x(()=>{ug();HP();qP();XP();QP();e2();r2();n2();s2();c2();f2();d2()});function zt(r,e){let t=DD(e),i=Math.max(1,Math.ceil(r)),n=Math.min(i,t),o=Math.min(Math.ceil(i/n),t),s=Math.ceil(i/n/o);if(s>t)throw new Error(`WebGPU dispatch requires ${i} workgroups, exceeding the 3D dispatch limit of ${t} per dimension`);return{x:n,y:o,z:s}}function pg(r,e="workgroupId"){return`((${e}.z * ${r.y}u + ${e}.y) * ${r.x}u + ${e}.x)`}function Er(r,e,t="workgroupId",i="localId"){return`(${pg(r,t)} * ${e}u + ${i}.x)`}function DD(r){return Number.isFinite(r)&&r>0?Math.floor(r):65535}var Pn=x(()=>{});function Sr(r,e){switch(r){case"u32":return`${e}u`;case"f32":return Number.isInteger(e)?`${e}.0`:`${e}`;default:return`${e}`}}function g2(r,e){switch(r){case"uint32":return Sr("u32",Math.trunc(e));case"sint32":return`${Math.trunc(e)}`;case"float32":return Sr("f32",e);default:throw new Error(`WebGPU operations only support 32-bit output types, got ${r}`)}}function Tr(r){switch(r){case"uint32":return"0u";case"sint32":return"0";case"float32":return"0.0";default:throw new Error(`WebGPU operations only support 32-bit output types, got ${r}`)}}function X(r){switch(r){case"uint32":return"u32";case"sint32":return"i32";case"float32":return"f32";default:throw new Error(`WebGPU operations only support 32-bit storage types, got ${r}`)}}var bi=x(()=>{});function Se({module:r,elementWise:e=!1,expression:t,inputs:i,output:n,operationType:o=n.type,outputBuffer:s}){if(!r.source)throw new Error(`WebGPU computation ${r.name} requires WGSL source`);let a=WD(i),c=a.map(([v,_])=>({name:v,input:_})),l=c.filter(({input:v})=>!v.isConstant).map((v,_)=>({...v,index:_})),f=X(o),u=X(n.type),d={TYPE:f,RESULT_LEN:n.size.toString()},h=zt(Math.ceil(n.length/gg),s.device.limits.maxComputeWorkgroupsPerDimension);for(let[v,_]of a)d[`${v.toUpperCase()}_LEN`]=_.size.toString();let p=`
${HD(r.source,d)}
${l.map(({name:v,input:_,index:b})=>zD(v,_,b)).join(`
`)}
${c.map(({name:v,input:_})=>UD(v,_,o)).join(`
`)}
${GD(n,l.length)}
${VD(n)}

@compute @workgroup_size(${gg}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Er(h,gg)};
  if (rowIndex >= ${n.length}u) {
    return;
  }

${c.map(({name:v})=>`  let ${v} = read_${v}(rowIndex);`).join(`
`)}
  var result: array<${u}, ${n.size}>;
${$D(r.name,a,n,e,t)}
  write_result(rowIndex, result);
}
`,g=new We(s.device,{source:p,modules:r.dependencies,shaderAssembler:FD,shaderLayout:{bindings:[...l.map(({name:v},_)=>({name:v,type:"storage",group:0,location:_})),{name:"result",type:"storage",group:0,location:l.length}]}}),m=Object.fromEntries(l.map(({name:v,input:_})=>[v,_.buffer]));m.result=s,g.setBindings(m);let y=s.device.beginComputePass({});s.device.statsManager.getStats(kD).get(ND).incrementCount(),g.dispatch(y,h.x,h.y,h.z),y.end(),s.device.submit(),g.destroy()}function zD(r,e,t){if(e.isConstant)return"";let i=X(e.type);return`@group(0) @binding(${t}) var<storage, read> ${r}: array<${i}>;`}function UD(r,e,t){let i=X(t),n=e.type===t?"":i,o=e.stride/e.ValueType.BYTES_PER_ELEMENT,s=e.offset/e.ValueType.BYTES_PER_ELEMENT;return e.isConstant?`fn read_${r}(_rowIndex: u32) -> array<${i}, ${e.size}> {
  return array<${i}, ${e.size}>(${jD(e,n)});
}`:`fn read_${r}(rowIndex: u32) -> array<${i}, ${e.size}> {
  var value: array<${i}, ${e.size}>;
  let rowOffset = ${s}u + rowIndex * ${o}u;
${Array.from({length:e.size},(a,c)=>n?`  value[${c}] = ${n}(${r}[rowOffset + ${c}u]);`:`  value[${c}] = ${r}[rowOffset + ${c}u];`).join(`
`)}
  return value;
}`}function GD(r,e){let t=X(r.type);return`@group(0) @binding(${e}) var<storage, read_write> result: array<${t}>;`}function VD(r){let e=r.stride/r.ValueType.BYTES_PER_ELEMENT,t=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${X(r.type)}, ${r.size}>) {
  let rowOffset = ${t}u + rowIndex * ${e}u;
${Array.from({length:r.size},(n,o)=>`  result[rowOffset + ${o}u] = value[${o}];`).join(`
`)}
}`}function $D(r,e,t,i,n){let o="";if(n)for(let s=0;s<t.size;s++)o+=`  result[${s}] = ${n(s)};
`;else if(i){let s=Tr(t.type),a=X(t.type);for(let c=0;c<t.size;c++){let l=e.map(([f,u])=>c<u.size?X(u.type)===a?`${f}[${c}]`:`${a}(${f}[${c}])`:s);o+=`  result[${c}] = ${r}(${l.join(", ")});
`}}else o+=`result = ${r}(${e.map(([s])=>s).join(", ")});`;return o.trimEnd()}function WD(r){return Array.isArray(r)?r.map((e,t)=>[`x${t}`,e]):Object.entries(r)}function jD(r,e){let t=r.value;if(!t)throw new Error(`Constant input ${r} is missing CPU values`);return Array.from({length:r.size},(i,n)=>Sr(e,t[n]??0)).join(", ")}function HD(r,e){for(let t in e)r=r.replaceAll(`{${t}}`,e[t]);return r}var gg,kD,ND,FD,tr=x(()=>{q();Be();Pn();bi();gg=64,kD="GPGPU Operation Counts",ND="Computation Runs",FD=new hr});var YD,m2,_2=x(()=>{Be();cg();tf();tr();bi();YD=`fn arithmetic_add(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x + y;
}

fn arithmetic_subtract(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x - y;
}

fn arithmetic_multiply(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x * y;
}

fn arithmetic_divide(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x / y;
}

fn arithmetic_tan(x: f32) -> f32 {
  return tan_fp32(x);
}
`,m2=({inputs:r,output:e,target:t})=>{let i=e.type,n=X(i),o=Tr(i),s=r.namedInputs;return Se({module:{name:"arithmetic",source:YD,dependencies:[ti]},inputs:s,output:e,operationType:i,outputBuffer:t,expression:a=>rf(r.expression,{operations:bn,inputs:s,laneIndex:a,formatInput:c=>`${c}[${a}]`,formatOutOfBoundsInput:c=>s[c].size===1?`${c}[0]`:o,formatLiteral:c=>{let l=Array.isArray(c)?c[a]??0:c;return`${n}(${g2(i,l)})`},formatCall:(c,l)=>`${c}(${l.join(", ")})`})}),{success:!0}}});var qD,y2,x2=x(()=>{tr();qD=`fn row_dot(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(y[i]);
  }
  return array<f32, 1>(sum);
}
`,y2=({inputs:r,output:e,target:t})=>(Se({module:{name:"row_dot",source:qD},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});var ZD,b2,v2=x(()=>{tr();ZD=`fn equalAll(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<u32, 1> {
  var allEqual = 1u;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    if (x[i] != y[i]) {
      allEqual = 0u;
      break;
    }
  }
  return array<u32, 1>(allEqual);
}
`,b2=({inputs:r,output:e,target:t})=>(Se({module:{name:"equalAll",source:ZD},inputs:r,output:e,operationType:r.x.type,outputBuffer:t}),{success:!0})});function En(r,e,t){let i=X(e.type);return`@group(0) @binding(${t}) var<storage, read> ${r}: array<${i}>;`}function mg(r,e,t,i=r){let n=X(t);if(e.isConstant){let l=e.value;if(!l)throw new Error(`Constant input ${e} is missing CPU values`);return`fn read_${i}(_sourceIndex: u32) -> array<${n}, ${e.size}> {
  return array<${n}, ${e.size}>(${Array.from({length:e.size},(f,u)=>Sr(n,l[u]??0)).join(", ")});
}`}let o=e.stride/e.ValueType.BYTES_PER_ELEMENT,s=e.offset/e.ValueType.BYTES_PER_ELEMENT,c=X(e.type)===n?"":`${n}`;return`fn read_${i}(sourceIndex: u32) -> array<${n}, ${e.size}> {
  var value: array<${n}, ${e.size}>;
  let rowOffset = ${s}u + sourceIndex * ${o}u;
${Array.from({length:e.size},(l,f)=>c?`  value[${f}] = ${c}(${r}[rowOffset + ${f}u]);`:`  value[${f}] = ${r}[rowOffset + ${f}u];`).join(`
`)}
  return value;
}`}function cf(r,e){return mg("sourceValues",r,e,"source_values")}function Sn(r,e){let t=X(r.type);return`@group(0) @binding(${e}) var<storage, read_write> result: array<${t}>;`}function Tn(r){let e=r.stride/r.ValueType.BYTES_PER_ELEMENT,t=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${X(r.type)}, ${r.size}>) {
  let rowOffset = ${t}u + rowIndex * ${e}u;
${Array.from({length:r.size},(n,o)=>`  result[rowOffset + ${o}u] = value[${o}];`).join(`
`)}
}`}function w2(r,e){let t=Tr(r);return`fn zero_result() -> array<${X(r)}, ${e}> {
  var result: array<${X(r)}, ${e}>;
${Array.from({length:e},(i,n)=>`  result[${n}] = ${t};`).join(`
`)}
  return result;
}`}var Oe,lf=x(()=>{bi();Oe=64});function XD({input:r,inputMode:e,inputGroupCount:t,channelCount:i,outputType:n,outputBuffer:o,outputLength:s,outputStride:a,outputOffset:c}){let l=X(n),f=zt(s,o.device.limits.maxComputeWorkgroupsPerDimension),u=new j({buffer:o,type:n,size:2,length:s,stride:a,offset:c}),d=`
${r.isConstant?"":En("sourceValues",r,0)}
${cf(r,n)}
${Sn(u,r.isConstant?0:1)}
${Tn(u)}
${KD(e,n,i,t)}

var<workgroup> sharedMin: array<${l}, ${Oe}>;
var<workgroup> sharedMax: array<${l}, ${Oe}>;

@compute @workgroup_size(${Oe}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let outputRowIndex = ${pg(f)};
  if (outputRowIndex >= ${s}u) {
    return;
  }

  let channelIndex = outputRowIndex % ${i}u;
  let outputGroupIndex = outputRowIndex / ${i}u;
  let inputGroupIndex = outputGroupIndex * ${Oe}u + localId.x;

  let result = extent_pass(channelIndex, inputGroupIndex);
  sharedMin[localId.x] = result[0];
  sharedMax[localId.x] = result[1];
  workgroupBarrier();

  var stride = ${Math.floor(Oe/2)}u;
  loop {
    if (stride == 0u) {
      break;
    }
    if (localId.x < stride) {
      let compareIndex = localId.x + stride;
      if (sharedMin[compareIndex] < sharedMin[localId.x]) {
        sharedMin[localId.x] = sharedMin[compareIndex];
      }
      if (sharedMax[compareIndex] > sharedMax[localId.x]) {
        sharedMax[localId.x] = sharedMax[compareIndex];
      }
    }
    workgroupBarrier();
    stride = stride / 2u;
  }

  if (localId.x == 0u) {
    write_result(outputRowIndex, array<${l}, 2>(sharedMin[0], sharedMax[0]));
  }
}
`,h=new We(o.device,{source:d,shaderLayout:{bindings:[...r.isConstant?[]:[{name:"sourceValues",type:"storage",group:0,location:0}],{name:"result",type:"storage",group:0,location:r.isConstant?0:1}]}}),p={result:o};r.isConstant||(p.sourceValues=r.buffer),h.setBindings(p);let g=o.device.beginComputePass({});h.dispatch(g,f.x,f.y,f.z),g.end(),o.device.submit(),h.destroy()}function KD(r,e,t,i){let n=X(e),[o,s]=QD(e);return r==="raw"?`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${n}, 2> {
  var result: array<${n}, 2>;
  result[0] = ${o};
  result[1] = ${s};

  if (inputGroupIndex < ${i}u) {
    let value = read_source_values(inputGroupIndex);
    result[0] = value[channelIndex];
    result[1] = value[channelIndex];
  }

  return result;
}`:`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${n}, 2> {
  var result: array<${n}, 2>;
  result[0] = ${o};
  result[1] = ${s};

  if (inputGroupIndex < ${i}u) {
    let rowIndex = inputGroupIndex * ${t}u + channelIndex;
    let value = read_source_values(rowIndex);
    result[0] = value[0];
    result[1] = value[1];
  }

  return result;
}`}function QD(r){switch(r){case"uint32":return["0xffffffffu","0u"];case"sint32":return["2147483647","-2147483648"];case"float32":return["3.402823e38","-3.402823e38"];default:throw new Error(`Unsupported WebGPU extent type for ${r}`)}}var P2,E2=x(()=>{q();er();Cs();Pn();bi();lf();P2=({inputs:r,output:e,target:t})=>{let{sourceValues:i}=r;if(i.length===0){let c=new e.ValueType(e.length*e.size);return t.write(c),{success:!0,value:c}}if(i.isConstant){let c=i.value;if(!c)throw new Error(`Constant input ${i} is missing CPU values`);let l=new e.ValueType(e.length*e.size);for(let f=0;f<e.length;f++){let u=c[f];l[f*2]=u,l[f*2+1]=u}return t.write(l),{success:!0,value:l}}let n=[],o=i,s="raw",a=i.length;try{for(;;){let c=Math.ceil(a/Oe),l=e.length*c,f=c===1?t:Re.createOrReuse(t.device,l*e.stride);if(c>1&&n.push(f),XD({input:o,inputMode:s,inputGroupCount:a,channelCount:e.length,outputType:e.type,outputBuffer:f,outputLength:l,outputStride:e.stride,outputOffset:e.offset}),c===1)break;o=new j({buffer:f,type:e.type,size:2,length:l}),s="partial",a=c}return{success:!0}}finally{for(let c of n)Re.recycle(c)}}});function JD(){let r=new Uint16Array([255]);return new Uint8Array(r.buffer)[0]>0}var ek,S2,T2=x(()=>{tr();ek=`const LE: bool = ${JD()?"true":"false"};
const F32_NAN: u32 = 0xffffffffu;
const F32_INF: u32 = 0x7f800000u;

fn roundShiftRight(value: u32, shift: i32) -> u32 {
  if (shift <= 0) {
    return value << u32(-shift);
  }

  if (shift >= 32) {
    if (shift == 32 && value > 0x80000000u) {
      return 1u;
    }
    return 0u;
  }

  let shiftU32 = u32(shift);
  let truncated = value >> shiftU32;
  let halfShift = 1u << u32(shift - 1);
  let remainder = value & ((1u << shiftU32) - 1u);
  if (remainder > halfShift || (remainder == halfShift && (truncated & 1u) == 1u)) {
    return truncated + 1u;
  }
  return truncated;
}

fn makeFloatImmediate(sign: u32, exponent: i32, mantissa: u32) -> u32 {
  return (sign << 31u) | (u32(exponent + 127) << 23u) | (mantissa & 0x7fffffu);
}

fn makeFloat(sign: u32, exponent: i32, significand: u32) -> u32 {
  if (significand == 0u) {
    return sign << 31u;
  }

  let leadingZeros = i32(countLeadingZeros(significand));
  var normalizedExponent = exponent + 31 - leadingZeros;

  if (normalizedExponent > 127) {
    return (sign << 31u) | F32_INF;
  }

  var mantissa: u32;
  if (normalizedExponent >= -126) {
    mantissa = roundShiftRight(significand, 8 - leadingZeros);
    if (mantissa >= 0x1000000u) {
      mantissa = mantissa >> 1u;
      normalizedExponent += 1;
      if (normalizedExponent > 127) {
        return (sign << 31u) | F32_INF;
      }
    }
    return makeFloatImmediate(sign, normalizedExponent, mantissa);
  }

  let subnormalShift = -149 - exponent;
  mantissa = roundShiftRight(significand, subnormalShift);
  if (mantissa >= 0x800000u) {
    return (sign << 31u) | (1u << 23u);
  }
  return (sign << 31u) | mantissa;
}

fn parseAsDouble(words: vec2<u32>) -> vec2<u32> {
  var d = words;
  if (LE) {
    d = d.yx;
  }

  let sign = (d.x >> 31u) & 1u;
  let exponentBits = (d.x >> 20u) & 0x7ffu;
  let exponent = i32(exponentBits) - 1023;
  let fractionHigh = d.x & 0xfffffu;
  let fractionLow = d.y;

  if (exponentBits == 0x7ffu) {
    if (fractionHigh == 0u && fractionLow == 0u) {
      return vec2<u32>((sign << 31u) | F32_INF, F32_NAN);
    }
    return vec2<u32>(F32_NAN);
  }

  if (exponentBits == 0u) {
    return vec2<u32>(sign << 31u);
  }

  if (exponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highSignificand = 0x800000u | (fractionHigh << 3u) | (fractionLow >> 29u);
  let lowSignificand = fractionLow & 0x1fffffffu;

  if (exponent < -126) {
    let highPart = makeFloat(sign, exponent - 23, highSignificand);
    let lowPart = makeFloat(sign, exponent - 52, lowSignificand);
    return vec2<u32>(highPart, lowPart);
  }

  let roundUp = lowSignificand > 0x10000000u ||
    (lowSignificand == 0x10000000u && (highSignificand & 1u) == 1u);

  var roundedSignificand = highSignificand + select(0u, 1u, roundUp);
  var highExponent = exponent;
  if (roundedSignificand == 0x1000000u) {
    roundedSignificand = 0x800000u;
    highExponent += 1;
  }

  if (highExponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highPart = makeFloatImmediate(sign, highExponent, roundedSignificand);

  var remainder = i32(lowSignificand);
  var lowSign = sign;
  if (roundUp) {
    remainder -= 0x20000000;
  }
  if (remainder < 0) {
    lowSign = 1u - sign;
    remainder = -remainder;
  }

  let lowPart = makeFloat(lowSign, exponent - 52, u32(remainder));
  return vec2<u32>(highPart, lowPart);
}

fn fround(x: array<u32, {X_LEN}>) -> array<f32, {RESULT_LEN}> {
  var result: array<f32, {RESULT_LEN}>;
  let n = {X_LEN}u / 2u;
  for (var i = 0u; i < n; i = i + 1u) {
    let parts = parseAsDouble(vec2<u32>(x[i * 2u], x[i * 2u + 1u]));
    result[i] = bitcast<f32>(parts.x);
    result[i + n] = bitcast<f32>(parts.y);
  }
  return result;
}
`,S2=({inputs:r,output:e,target:t})=>(Se({module:{name:"fround",source:ek},inputs:r,output:e,operationType:"uint32",outputBuffer:t}),{success:!0})});function tk(r,e){if(r.isConstant){let n=r.value;if(!n)throw new Error(`Constant input ${r} is missing CPU values`);return`fn read_ids(_rowIndex: u32) -> ${e} {
  return ${Sr(e,n[0]??0)};
}`}let t=r.stride/r.ValueType.BYTES_PER_ELEMENT,i=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn read_ids(rowIndex: u32) -> ${e} {
  let rowOffset = ${i}u + rowIndex * ${t}u;
  return ids[rowOffset];
}`}function rk(r,e,t,i){let n=X(r),o=X(e);return`fn gather(idsValue: ${n}) -> array<${o}, ${t}> {
  let sourceIndex = ${n==="u32"?"i32(idsValue)":n==="i32"?"idsValue":"i32(idsValue)"};
  if (sourceIndex < 0 || sourceIndex >= ${i}) {
    return zero_result();
  }
  return read_source_values(u32(sourceIndex));
}`}var L2,C2=x(()=>{q();Pn();bi();lf();L2=async({inputs:r,output:e,target:t})=>{let{ids:i,sourceValues:n}=r,o=X(i.type),s=[];i.isConstant||s.push({name:"ids",input:i,index:s.length}),n.isConstant||s.push({name:"sourceValues",input:n,index:s.length});let a=zt(Math.ceil(e.length/Oe),t.device.limits.maxComputeWorkgroupsPerDimension),c=`
${s.map(({name:d,input:h,index:p})=>En(d,h,p)).join(`
`)}
${tk(i,o)}
${cf(n,e.type)}
${Sn(e,s.length)}
${Tn(e)}
${w2(e.type,e.size)}
${rk(i.type,e.type,e.size,n.length)}

@compute @workgroup_size(${Oe}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Er(a,Oe)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let idsValue = read_ids(rowIndex);
  let result = gather(idsValue);
  write_result(rowIndex, result);
}
`,l=new We(t.device,{source:c,shaderLayout:{bindings:[...s.map(({name:d,index:h})=>({name:d,type:"storage",group:0,location:h})),{name:"result",type:"storage",group:0,location:s.length}]}}),f={};i.isConstant||(f.ids=i.buffer),n.isConstant||(f.sourceValues=n.buffer),f.result=t,l.setBindings(f);let u=t.device.beginComputePass({});return l.dispatch(u,a.x,a.y,a.z),u.end(),t.device.submit(),l.destroy(),{success:!0}}});function ik(r){return`fn segmented_map(vertexIndex: u32) -> array<u32, 2> {
  var low = 0i;
  var high = ${r}i;
  while (low < high) {
    let mid = low + (high - low) / 2i;
    let midStart = read_segments(u32(mid))[0];
    if (midStart <= vertexIndex) {
      low = mid + 1i;
    } else {
      high = mid;
    }
  }

  let segmentIndex = u32(max(low - 1i, 0i));
  let segmentStart = read_segments(segmentIndex)[0];
  return array<u32, 2>(segmentIndex, vertexIndex - segmentStart);
}`}var A2,M2=x(()=>{q();Pn();lf();A2=async({inputs:r,output:e,target:t})=>{let{segments:i}=r,n=i.isConstant?[]:[{name:"segments",input:i,index:0}],o=zt(Math.ceil(e.length/Oe),t.device.limits.maxComputeWorkgroupsPerDimension),s=`
${n.map(({name:f,input:u,index:d})=>En(f,u,d)).join(`
`)}
${mg("segments",i,"uint32")}
${Sn(e,n.length)}
${Tn(e)}
${ik(i.length)}

@compute @workgroup_size(${Oe}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Er(o,Oe)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let result = segmented_map(rowIndex);
  write_result(rowIndex, result);
}
`,a=new We(t.device,{source:s,shaderLayout:{bindings:[...n.map(({name:f,index:u})=>({name:f,type:"storage",group:0,location:u})),{name:"result",type:"storage",group:0,location:n.length}]}}),c=Object.fromEntries(n.map(({name:f,input:u})=>[f,u.buffer]));c.result=t,a.setBindings(c);let l=t.device.beginComputePass({});return a.dispatch(l,o.x,o.y,o.z),l.end(),t.device.submit(),a.destroy(),{success:!0}}});function nk(r,e){let i=e.filter(([,n])=>!n.isConstant).length+1;if(i>r.maxStorageBuffersPerShaderStage)throw new Error(`interleave() requires ${i} storage buffers, exceeding device limit ${r.maxStorageBuffersPerShaderStage}`);if(i>r.maxBindingsPerBindGroup)throw new Error(`interleave() requires ${i} bindings, exceeding bind group limit ${r.maxBindingsPerBindGroup}`)}var ff,I2=x(()=>{tr();ff=({inputs:r,output:e,target:t})=>{let i=r.map((c,l)=>[`x${l}`,c]);nk(t.device.limits,i);let n=i.map(([c,l])=>`${c}: array<{TYPE}, ${l.size}>`).join(", "),o=0,s=i.map(([c,l])=>{let f=Array.from({length:l.size},(u,d)=>`  out[${o+d}] = ${c}[${d}];`).join(`
`);return o+=l.size,f}).join(`
`),a=`fn interleave(${n}) -> array<{TYPE}, {RESULT_LEN}> {
  var out: array<{TYPE}, {RESULT_LEN}>;
${s}
  return out;
}
`;return Se({module:{name:"interleave",source:a},inputs:r,output:e,outputBuffer:t}),{success:!0}}});var ok,R2,O2=x(()=>{tr();ok=`fn row_length(x: array<{TYPE}, {X_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(x[i]);
  }
  return array<f32, 1>(sqrt(sum));
}
`,R2=({inputs:r,output:e,target:t})=>(Se({module:{name:"row_length",source:ok},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});function _g(r,e,t,i){return t<e.size?`${r}[${t}]`:e.size===1?`${r}[0]`:i}var B2,D2=x(()=>{tr();bi();B2=async({inputs:r,output:e,target:t})=>{let i=Tr(e.type);return Se({module:{name:"select",source:`// inline expression select
`},inputs:r,output:e,operationType:e.type,outputBuffer:t,expression:n=>{let o=_g("condition",r.condition,n,i),s=_g("whenTrue",r.whenTrue,n,i);return`select(${_g("whenFalse",r.whenFalse,n,i)}, ${s}, ${o} != ${i})`}}),{success:!0}}});var yg,k2,N2=x(()=>{q();Pn();yg=64,k2=({inputs:r,output:e,target:t})=>{let i=zt(Math.ceil(e.length/yg),t.device.limits.maxComputeWorkgroupsPerDimension),n=`@group(0) @binding(0) var<storage, read_write> result: array<i32>;

@compute @workgroup_size(${yg}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Er(i,yg)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let rowOffset = ${e.offset/e.ValueType.BYTES_PER_ELEMENT}u + rowIndex * ${e.stride/e.ValueType.BYTES_PER_ELEMENT}u;
  result[rowOffset] = ${r.start} + i32(rowIndex) * ${r.step};
}
`,o=new We(t.device,{source:n,shaderLayout:{bindings:[{name:"result",type:"storage",group:0,location:0}]}});o.setBindings({result:t});let s=t.device.beginComputePass({});return o.dispatch(s,i.x,i.y,i.z),s.end(),t.device.submit(),o.destroy(),{success:!0}}});var F2,z2=x(()=>{tr();F2=({inputs:r,output:e,target:t})=>{let{columns:i}=r;return Se({module:{name:"swizzle",source:"// swizzle expression handled inline"},expression:n=>`x[${i[n]}]`,inputs:{x:r.x},output:e,outputBuffer:t}),{success:!0}}});var U2={};Gt(U2,{arithmetic:()=>m2,dot:()=>y2,equalAll:()=>b2,extent:()=>P2,fround:()=>S2,gather:()=>L2,interleave:()=>ff,length:()=>R2,segmentedMap:()=>A2,select:()=>B2,sequence:()=>k2,swizzle:()=>F2});var xg=x(()=>{_2();x2();v2();E2();T2();C2();M2();I2();O2();D2();N2();z2()});var uS=f3((pfe,Vg)=>{"use strict";Vg.exports=Mf;Vg.exports.default=Mf;function Mf(r,e,t){t=t||2;var i=e&&e.length,n=i?e[0]*t:r.length,o=cS(r,0,n,t,!0),s=[];if(!o||o.next===o.prev)return s;var a,c,l,f,u,d,h;if(i&&(o=tN(r,e,o,t)),r.length>80*t){a=l=r[0],c=f=r[1];for(var p=t;p<n;p+=t)u=r[p],d=r[p+1],u<a&&(a=u),d<c&&(c=d),u>l&&(l=u),d>f&&(f=d);h=Math.max(l-a,f-c),h=h!==0?32767/h:0}return sa(o,s,t,a,c,h,0),s}function cS(r,e,t,i,n){var o,s;if(n===Gg(r,e,t,i)>0)for(o=e;o<t;o+=i)s=aS(o,r[o],r[o+1],s);else for(o=t-i;o>=e;o-=i)s=aS(o,r[o],r[o+1],s);return s&&If(s,s.next)&&(ca(s),s=s.next),s}function vi(r,e){if(!r)return r;e||(e=r);var t=r,i;do if(i=!1,!t.steiner&&(If(t,t.next)||J(t.prev,t,t.next)===0)){if(ca(t),t=e=t.prev,t===t.next)break;i=!0}else t=t.next;while(i||t!==e);return e}function sa(r,e,t,i,n,o,s){if(r){!s&&o&&sN(r,i,n,o);for(var a=r,c,l;r.prev!==r.next;){if(c=r.prev,l=r.next,o?Q6(r,i,n,o):K6(r)){e.push(c.i/t|0),e.push(r.i/t|0),e.push(l.i/t|0),ca(r),r=l.next,a=l.next;continue}if(r=l,r===a){s?s===1?(r=J6(vi(r),e,t),sa(r,e,t,i,n,o,2)):s===2&&eN(r,e,t,i,n,o):sa(vi(r),e,t,i,n,o,1);break}}}}function K6(r){var e=r.prev,t=r,i=r.next;if(J(e,t,i)>=0)return!1;for(var n=e.x,o=t.x,s=i.x,a=e.y,c=t.y,l=i.y,f=n<o?n<s?n:s:o<s?o:s,u=a<c?a<l?a:l:c<l?c:l,d=n>o?n>s?n:s:o>s?o:s,h=a>c?a>l?a:l:c>l?c:l,p=i.next;p!==e;){if(p.x>=f&&p.x<=d&&p.y>=u&&p.y<=h&&Mn(n,a,o,c,s,l,p.x,p.y)&&J(p.prev,p,p.next)>=0)return!1;p=p.next}return!0}function Q6(r,e,t,i){var n=r.prev,o=r,s=r.next;if(J(n,o,s)>=0)return!1;for(var a=n.x,c=o.x,l=s.x,f=n.y,u=o.y,d=s.y,h=a<c?a<l?a:l:c<l?c:l,p=f<u?f<d?f:d:u<d?u:d,g=a>c?a>l?a:l:c>l?c:l,m=f>u?f>d?f:d:u>d?u:d,y=zg(h,p,e,t,i),v=zg(g,m,e,t,i),_=r.prevZ,b=r.nextZ;_&&_.z>=y&&b&&b.z<=v;){if(_.x>=h&&_.x<=g&&_.y>=p&&_.y<=m&&_!==n&&_!==s&&Mn(a,f,c,u,l,d,_.x,_.y)&&J(_.prev,_,_.next)>=0||(_=_.prevZ,b.x>=h&&b.x<=g&&b.y>=p&&b.y<=m&&b!==n&&b!==s&&Mn(a,f,c,u,l,d,b.x,b.y)&&J(b.prev,b,b.next)>=0))return!1;b=b.nextZ}for(;_&&_.z>=y;){if(_.x>=h&&_.x<=g&&_.y>=p&&_.y<=m&&_!==n&&_!==s&&Mn(a,f,c,u,l,d,_.x,_.y)&&J(_.prev,_,_.next)>=0)return!1;_=_.prevZ}for(;b&&b.z<=v;){if(b.x>=h&&b.x<=g&&b.y>=p&&b.y<=m&&b!==n&&b!==s&&Mn(a,f,c,u,l,d,b.x,b.y)&&J(b.prev,b,b.next)>=0)return!1;b=b.nextZ}return!0}function J6(r,e,t){var i=r;do{var n=i.prev,o=i.next.next;!If(n,o)&&lS(n,i,i.next,o)&&aa(n,o)&&aa(o,n)&&(e.push(n.i/t|0),e.push(i.i/t|0),e.push(o.i/t|0),ca(i),ca(i.next),i=r=o),i=i.next}while(i!==r);return vi(i)}function eN(r,e,t,i,n,o){var s=r;do{for(var a=s.next.next;a!==s.prev;){if(s.i!==a.i&&lN(s,a)){var c=fS(s,a);s=vi(s,s.next),c=vi(c,c.next),sa(s,e,t,i,n,o,0),sa(c,e,t,i,n,o,0);return}a=a.next}s=s.next}while(s!==r)}function tN(r,e,t,i){var n=[],o,s,a,c,l;for(o=0,s=e.length;o<s;o++)a=e[o]*i,c=o<s-1?e[o+1]*i:r.length,l=cS(r,a,c,i,!1),l===l.next&&(l.steiner=!0),n.push(cN(l));for(n.sort(rN),o=0;o<n.length;o++)t=iN(n[o],t);return t}function rN(r,e){return r.x-e.x}function iN(r,e){var t=nN(r,e);if(!t)return e;var i=fS(t,r);return vi(i,i.next),vi(t,t.next)}function nN(r,e){var t=e,i=r.x,n=r.y,o=-1/0,s;do{if(n<=t.y&&n>=t.next.y&&t.next.y!==t.y){var a=t.x+(n-t.y)*(t.next.x-t.x)/(t.next.y-t.y);if(a<=i&&a>o&&(o=a,s=t.x<t.next.x?t:t.next,a===i))return s}t=t.next}while(t!==e);if(!s)return null;var c=s,l=s.x,f=s.y,u=1/0,d;t=s;do i>=t.x&&t.x>=l&&i!==t.x&&Mn(n<f?i:o,n,l,f,n<f?o:i,n,t.x,t.y)&&(d=Math.abs(n-t.y)/(i-t.x),aa(t,r)&&(d<u||d===u&&(t.x>s.x||t.x===s.x&&oN(s,t)))&&(s=t,u=d)),t=t.next;while(t!==c);return s}function oN(r,e){return J(r.prev,r,e.prev)<0&&J(e.next,r,r.next)<0}function sN(r,e,t,i){var n=r;do n.z===0&&(n.z=zg(n.x,n.y,e,t,i)),n.prevZ=n.prev,n.nextZ=n.next,n=n.next;while(n!==r);n.prevZ.nextZ=null,n.prevZ=null,aN(n)}function aN(r){var e,t,i,n,o,s,a,c,l=1;do{for(t=r,r=null,o=null,s=0;t;){for(s++,i=t,a=0,e=0;e<l&&(a++,i=i.nextZ,!!i);e++);for(c=l;a>0||c>0&&i;)a!==0&&(c===0||!i||t.z<=i.z)?(n=t,t=t.nextZ,a--):(n=i,i=i.nextZ,c--),o?o.nextZ=n:r=n,n.prevZ=o,o=n;t=i}o.nextZ=null,l*=2}while(s>1);return r}function zg(r,e,t,i,n){return r=(r-t)*n|0,e=(e-i)*n|0,r=(r|r<<8)&16711935,r=(r|r<<4)&252645135,r=(r|r<<2)&858993459,r=(r|r<<1)&1431655765,e=(e|e<<8)&16711935,e=(e|e<<4)&252645135,e=(e|e<<2)&858993459,e=(e|e<<1)&1431655765,r|e<<1}function cN(r){var e=r,t=r;do(e.x<t.x||e.x===t.x&&e.y<t.y)&&(t=e),e=e.next;while(e!==r);return t}function Mn(r,e,t,i,n,o,s,a){return(n-s)*(e-a)>=(r-s)*(o-a)&&(r-s)*(i-a)>=(t-s)*(e-a)&&(t-s)*(o-a)>=(n-s)*(i-a)}function lN(r,e){return r.next.i!==e.i&&r.prev.i!==e.i&&!fN(r,e)&&(aa(r,e)&&aa(e,r)&&uN(r,e)&&(J(r.prev,r,e.prev)||J(r,e.prev,e))||If(r,e)&&J(r.prev,r,r.next)>0&&J(e.prev,e,e.next)>0)}function J(r,e,t){return(e.y-r.y)*(t.x-e.x)-(e.x-r.x)*(t.y-e.y)}function If(r,e){return r.x===e.x&&r.y===e.y}function lS(r,e,t,i){var n=Af(J(r,e,t)),o=Af(J(r,e,i)),s=Af(J(t,i,r)),a=Af(J(t,i,e));return!!(n!==o&&s!==a||n===0&&Cf(r,t,e)||o===0&&Cf(r,i,e)||s===0&&Cf(t,r,i)||a===0&&Cf(t,e,i))}function Cf(r,e,t){return e.x<=Math.max(r.x,t.x)&&e.x>=Math.min(r.x,t.x)&&e.y<=Math.max(r.y,t.y)&&e.y>=Math.min(r.y,t.y)}function Af(r){return r>0?1:r<0?-1:0}function fN(r,e){var t=r;do{if(t.i!==r.i&&t.next.i!==r.i&&t.i!==e.i&&t.next.i!==e.i&&lS(t,t.next,r,e))return!0;t=t.next}while(t!==r);return!1}function aa(r,e){return J(r.prev,r,r.next)<0?J(r,e,r.next)>=0&&J(r,r.prev,e)>=0:J(r,e,r.prev)<0||J(r,r.next,e)<0}function uN(r,e){var t=r,i=!1,n=(r.x+e.x)/2,o=(r.y+e.y)/2;do t.y>o!=t.next.y>o&&t.next.y!==t.y&&n<(t.next.x-t.x)*(o-t.y)/(t.next.y-t.y)+t.x&&(i=!i),t=t.next;while(t!==r);return i}function fS(r,e){var t=new Ug(r.i,r.x,r.y),i=new Ug(e.i,e.x,e.y),n=r.next,o=e.prev;return r.next=e,e.prev=r,t.next=n,n.prev=t,i.next=t,t.prev=i,o.next=i,i.prev=o,i}function aS(r,e,t,i){var n=new Ug(r,e,t);return i?(n.next=i.next,n.prev=i,i.next.prev=n,i.next=n):(n.prev=n,n.next=n),n}function ca(r){r.next.prev=r.prev,r.prev.next=r.next,r.prevZ&&(r.prevZ.nextZ=r.nextZ),r.nextZ&&(r.nextZ.prevZ=r.prevZ)}function Ug(r,e,t){this.i=r,this.x=e,this.y=t,this.prev=null,this.next=null,this.z=0,this.prevZ=null,this.nextZ=null,this.steiner=!1}Mf.deviation=function(r,e,t,i){var n=e&&e.length,o=n?e[0]*t:r.length,s=Math.abs(Gg(r,0,o,t));if(n)for(var a=0,c=e.length;a<c;a++){var l=e[a]*t,f=a<c-1?e[a+1]*t:r.length;s-=Math.abs(Gg(r,l,f,t))}var u=0;for(a=0;a<i.length;a+=3){var d=i[a]*t,h=i[a+1]*t,p=i[a+2]*t;u+=Math.abs((r[d]-r[p])*(r[h+1]-r[d+1])-(r[d]-r[h])*(r[p+1]-r[d+1]))}return s===0&&u===0?0:Math.abs((u-s)/s)};function Gg(r,e,t,i){for(var n=0,o=e,s=t-i;o<t;o+=i)n+=(r[s]-r[o])*(r[o+1]+r[s+1]),s=o;return n}Mf.flatten=function(r){for(var e=r[0][0].length,t={vertices:[],holes:[],dimensions:e},i=0,n=0;n<r.length;n++){for(var o=0;o<r[n].length;o++)for(var s=0;s<e;s++)t.vertices.push(r[n][o][s]);n>0&&(i+=r[n-1].length,t.holes.push(i))}return t}});function rr(r,e){if(!r)throw new Error(e||"loader assertion failed.")}var yt={self:typeof self<"u"&&self,window:typeof window<"u"&&window,global:typeof global<"u"&&global,document:typeof document<"u"&&document},h3=yt.self||yt.window||yt.global||{},p3=yt.window||yt.self||yt.global||{},g3=yt.global||yt.self||yt.window||{},m3=yt.document||{};var Mr=!!(typeof process!="object"||String(process)!=="[object process]"||process.browser);var Yg=typeof process<"u"&&process.version&&/v([0-9]*)/.exec(process.version),_3=Yg&&parseFloat(Yg[1])||0;Dn();var Kf="4.5.4",S3=Kf[0]>="0"&&Kf[0]<="9"?`v${Kf}`:"";function T3(){let r=new Te({id:"loaders.gl"});return globalThis.loaders||={},globalThis.loaders.log=r,globalThis.loaders.version=S3,globalThis.probe||={},globalThis.probe.loaders=r,r}var Qf=T3();var L3=r=>typeof r=="boolean",bt=r=>typeof r=="function",vt=r=>r!==null&&typeof r=="object",Sa=r=>vt(r)&&r.constructor==={}.constructor;var Jf=r=>typeof SharedArrayBuffer<"u"&&r instanceof SharedArrayBuffer,Ti=r=>vt(r)&&typeof r.byteLength=="number"&&typeof r.slice=="function";var eu=r=>!!r&&bt(r[Symbol.iterator]),tu=r=>!!r&&bt(r[Symbol.asyncIterator]);var ze=r=>typeof Response<"u"&&r instanceof Response||vt(r)&&bt(r.arrayBuffer)&&bt(r.text)&&bt(r.json);var Ue=r=>typeof Blob<"u"&&r instanceof Blob;var lm=r=>typeof ReadableStream<"u"&&r instanceof ReadableStream||vt(r)&&bt(r.tee)&&bt(r.cancel)&&bt(r.getReader);var fm=r=>vt(r)&&bt(r.read)&&bt(r.pipe)&&L3(r.readable),kn=r=>lm(r)||fm(r);function ru(r,e){return um(r||{},e)}function um(r,e,t=0){if(t>3)return e;let i={...r};for(let[n,o]of Object.entries(e))o&&typeof o=="object"&&!Array.isArray(o)?i[n]=um(i[n]||{},e[n],t+1):i[n]=e[n];return i}var dm="latest";function C3(){return globalThis._loadersgl_?.version||(globalThis._loadersgl_=globalThis._loadersgl_||{},globalThis._loadersgl_.version="4.5.4"),globalThis._loadersgl_.version}var hm=C3();function Le(r,e){if(!r)throw new Error(e||"loaders.gl assertion failed.")}var wt={self:typeof self<"u"&&self,window:typeof window<"u"&&window,global:typeof global<"u"&&global,document:typeof document<"u"&&document},NF=wt.self||wt.window||wt.global||{},FF=wt.window||wt.self||wt.global||{},zF=wt.global||wt.self||wt.window||{},UF=wt.document||{};var qe=typeof process!="object"||String(process)!=="[object process]"||process.browser;var gm=typeof window<"u"&&typeof window.orientation<"u",pm=typeof process<"u"&&process.version&&/v([0-9]*)/.exec(process.version),GF=pm&&parseFloat(pm[1])||0;var Nn=class{name;workerThread;isRunning=!0;result;_resolve=()=>{};_reject=()=>{};constructor(e,t){this.name=e,this.workerThread=t,this.result=new Promise((i,n)=>{this._resolve=i,this._reject=n})}postMessage(e,t){this.workerThread.postMessage({source:"loaders.gl",type:e,payload:t})}done(e){Le(this.isRunning),this.isRunning=!1,this._resolve(e)}error(e){Le(this.isRunning),this.isRunning=!1,this._reject(e)}};var Li=class{terminate(){}};var iu=new Map;function mm(r){Le(r.source&&!r.url||!r.source&&r.url);let e=iu.get(r.source||r.url);return e||(r.url&&(e=A3(r.url),iu.set(r.url,e)),r.source&&(e=_m(r.source),iu.set(r.source,e))),Le(e),e}function A3(r){if(!r.startsWith("http"))return r;let e=M3(r);return _m(e)}function _m(r){let e=new Blob([r],{type:"application/javascript"});return URL.createObjectURL(e)}function M3(r){return`try {
  importScripts('${r}');
} catch (error) {
  console.error(error);
  throw error;
}`}function nu(r,e=!0,t){let i=t||new Set;if(r){if(ym(r))i.add(r);else if(ym(r.buffer))i.add(r.buffer);else if(!ArrayBuffer.isView(r)){if(e&&typeof r=="object")for(let n in r)nu(r[n],e,i)}}return t===void 0?Array.from(i):[]}function ym(r){return r?r instanceof ArrayBuffer||typeof MessagePort<"u"&&r instanceof MessagePort||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas:!1}var ou=()=>{},ir=class{name;source;url;terminated=!1;worker;onMessage;onError;_loadableURL="";static isSupported(){return typeof Worker<"u"&&qe||typeof Li<"u"&&!qe}constructor(e){let{name:t,source:i,url:n}=e;Le(i||n),this.name=t,this.source=i,this.url=n,this.onMessage=ou,this.onError=o=>console.log(o),this.worker=qe?this._createBrowserWorker():this._createNodeWorker()}destroy(){this.onMessage=ou,this.onError=ou,this.worker.terminate(),this.terminated=!0}get isRunning(){return!!this.onMessage}postMessage(e,t){t=t||nu(e),this.worker.postMessage(e,t)}_getErrorFromErrorEvent(e){let t="Failed to load ";return t+=`worker ${this.name} from ${this.url}. `,e.message&&(t+=`${e.message} in `),e.lineno&&(t+=`:${e.lineno}:${e.colno}`),new Error(t)}_createBrowserWorker(){this._loadableURL=mm({source:this.source,url:this.url});let e=new Worker(this._loadableURL,{name:this.name});return e.onmessage=t=>{t.data?this.onMessage(t.data):this.onError(new Error("No data received"))},e.onerror=t=>{this.onError(this._getErrorFromErrorEvent(t)),this.terminated=!0},e.onmessageerror=t=>console.error(t),e}_createNodeWorker(){let e;if(this.url){let i=this.url.includes(":/")||this.url.startsWith("/")?this.url:`./${this.url}`,n=this.url.endsWith(".ts")||this.url.endsWith(".mjs")?"module":"commonjs";e=new Li(i,{eval:!1,type:n})}else if(this.source)e=new Li(this.source,{eval:!0});else throw new Error("no worker");return e.on("message",t=>{this.onMessage(t)}),e.on("error",t=>{this.onError(t)}),e.on("exit",t=>{}),e}};var Fn=class{name="unnamed";source;url;maxConcurrency=1;maxMobileConcurrency=1;onDebug=()=>{};reuseWorkers=!0;props={};jobQueue=[];idleQueue=[];count=0;isDestroyed=!1;static isSupported(){return ir.isSupported()}constructor(e){this.source=e.source,this.url=e.url,this.setProps(e)}destroy(){this.idleQueue.forEach(e=>e.destroy()),this.isDestroyed=!0}setProps(e){this.props={...this.props,...e},e.name!==void 0&&(this.name=e.name),e.maxConcurrency!==void 0&&(this.maxConcurrency=e.maxConcurrency),e.maxMobileConcurrency!==void 0&&(this.maxMobileConcurrency=e.maxMobileConcurrency),e.reuseWorkers!==void 0&&(this.reuseWorkers=e.reuseWorkers),e.onDebug!==void 0&&(this.onDebug=e.onDebug)}async startJob(e,t=(n,o,s)=>n.done(s),i=(n,o)=>n.error(o)){let n=new Promise(o=>(this.jobQueue.push({name:e,onMessage:t,onError:i,onStart:o}),this));return this._startQueuedJob(),await n}async _startQueuedJob(){if(!this.jobQueue.length)return;let e=this._getAvailableWorker();if(!e)return;let t=this.jobQueue.shift();if(t){this.onDebug({message:"Starting job",name:t.name,workerThread:e,backlog:this.jobQueue.length});let i=new Nn(t.name,e);e.onMessage=n=>t.onMessage(i,n.type,n.payload),e.onError=n=>t.onError(i,n),t.onStart(i);try{await i.result}catch(n){console.error(`Worker exception: ${n}`)}finally{this.returnWorkerToQueue(e)}}}returnWorkerToQueue(e){!qe||this.isDestroyed||!this.reuseWorkers||this.count>this._getMaxConcurrency()?(e.destroy(),this.count--):this.idleQueue.push(e),this.isDestroyed||this._startQueuedJob()}_getAvailableWorker(){if(this.idleQueue.length>0)return this.idleQueue.shift()||null;if(this.count<this._getMaxConcurrency()){this.count++;let e=`${this.name.toLowerCase()} (#${this.count} of ${this.maxConcurrency})`;return new ir({name:e,source:this.source,url:this.url})}return null}_getMaxConcurrency(){return gm?this.maxMobileConcurrency:this.maxConcurrency}};var I3={maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:!0,onDebug:()=>{}},Or=class r{props;workerPools=new Map;static _workerFarm;static isSupported(){return ir.isSupported()}static getWorkerFarm(e={}){return r._workerFarm=r._workerFarm||new r({}),r._workerFarm.setProps(e),r._workerFarm}constructor(e){this.props={...I3},this.setProps(e),this.workerPools=new Map}destroy(){for(let e of this.workerPools.values())e.destroy();this.workerPools=new Map}setProps(e){this.props={...this.props,...e};for(let t of this.workerPools.values())t.setProps(this._getWorkerPoolProps())}getWorkerPool(e){let{name:t,source:i,url:n}=e,o=this.workerPools.get(t);return o||(o=new Fn({name:t,source:i,url:n}),o.setProps(this._getWorkerPoolProps()),this.workerPools.set(t,o)),o}_getWorkerPoolProps(){return{maxConcurrency:this.props.maxConcurrency,maxMobileConcurrency:this.props.maxMobileConcurrency,reuseWorkers:this.props.reuseWorkers,onDebug:this.props.onDebug}}};function su(r,e={}){let t=e[r.id]||{},i=qe?r.workerFile||`${r.id}-worker.js`:`${r.id}-worker-node.js`,n=t.workerUrl;if(!n&&r.id==="compression"&&(n=e.workerUrl),(e._workerType||e?.core?._workerType)==="test"&&(qe?n=`modules/${r.module}/dist/${i}`:n=`modules/${r.module}/src/workers/${r.id}-worker-node.ts`),!n){let s=r.version;s==="latest"&&(s=dm);let a=s?`@${s}`:"";n=`https://unpkg.com/@loaders.gl/${r.module}${a}/dist/${i}`}return Le(n),n}function au(r,e=hm){Le(r,"no worker provided");let t=r.version;return!(!e||!t)}function cu(r,e){if(!Or.isSupported())return!1;let t=e?._nodeWorkers??e?.core?._nodeWorkers;if(!qe&&!t)return!1;let i=e?.worker??e?.core?.worker;return!!(r.worker&&i)}async function lu(r,e,t,i,n){let o=r.id,s=su(r,t),c=Or.getWorkerFarm(t?.core).getWorkerPool({name:o,url:s});t=JSON.parse(JSON.stringify(t||{})),t._workerLoaderId=r.id,i=JSON.parse(JSON.stringify(i||{}));let l=await c.startJob("process-on-worker",R3.bind(null,n));return l.postMessage("process",{input:e,options:t,context:i}),await(await l.result).result}async function R3(r,e,t,i){switch(t){case"done":e.done(i);break;case"error":e.error(new Error(i.error));break;case"process":let{id:n,input:o,options:s}=i;try{let a=await r(o,s);e.postMessage("done",{id:n,result:a})}catch(a){let c=a instanceof Error?a.message:"unknown error";e.postMessage("error",{id:n,error:c})}break;default:console.warn(`parse-with-worker unknown message ${t}`)}}function fu(r,e,t){if(t=t||r.byteLength,r.byteLength<t||e.byteLength<t)return!1;let i=new Uint8Array(r),n=new Uint8Array(e);for(let o=0;o<i.length;++o)if(i[o]!==n[o])return!1;return!0}function uu(...r){return xm(r)}function xm(r){let e=r.map(o=>o instanceof ArrayBuffer?new Uint8Array(o):o),t=e.reduce((o,s)=>o+s.byteLength,0),i=new Uint8Array(t),n=0;for(let o of e)i.set(o,n),n+=o.byteLength;return i.buffer}async function du(r){let e=[];for await(let t of r)e.push(O3(t));return uu(...e)}function O3(r){if(r instanceof ArrayBuffer)return r;if(ArrayBuffer.isView(r)){let{buffer:e,byteOffset:t,byteLength:i}=r;return bm(e,t,i)}return bm(r)}function bm(r,e=0,t=r.byteLength-e){let i=new Uint8Array(r,e,t),n=new Uint8Array(i.length);return n.set(i),n.buffer}var B3="",wm={};function gu(r){for(let e in wm)if(r.startsWith(e)){let t=wm[e];r=r.replace(e,t)}return!r.startsWith("http://")&&!r.startsWith("https://")&&(r=`${B3}${r}`),r}function La(r){return r&&typeof r=="object"&&r.isBuffer}function Ci(r){if(La(r))return r;if(r instanceof ArrayBuffer)return r;if(Jf(r))return Ta(r);if(ArrayBuffer.isView(r)){let e=r.buffer;return r.byteOffset===0&&r.byteLength===r.buffer.byteLength?e:e.slice(r.byteOffset,r.byteOffset+r.byteLength)}if(typeof r=="string"){let e=r;return new TextEncoder().encode(e).buffer}if(r&&typeof r=="object"&&r._toArrayBuffer)return r._toArrayBuffer();throw new Error("toArrayBuffer")}function Gn(r){if(r instanceof ArrayBuffer)return r;if(Jf(r))return Ta(r);let{buffer:e,byteOffset:t,byteLength:i}=r;return e instanceof ArrayBuffer&&t===0&&i===e.byteLength?e:Ta(e,t,i)}function Ta(r,e=0,t=r.byteLength-e){let i=new Uint8Array(r,e,t),n=new Uint8Array(i.length);return n.set(i),n.buffer}function mu(r){return ArrayBuffer.isView(r)?r:new Uint8Array(r)}var Vt={};Gt(Vt,{dirname:()=>k3,filename:()=>D3,join:()=>N3,resolve:()=>F3});function Pm(){if(typeof process<"u"&&typeof process.cwd<"u")return process.cwd();let r=window.location?.pathname;return r?.slice(0,r.lastIndexOf("/")+1)||""}function D3(r){let e=r?r.lastIndexOf("/"):-1;return e>=0?r.substr(e+1):r}function k3(r){let e=r?r.lastIndexOf("/"):-1;return e>=0?r.substr(0,e):""}function N3(...r){return r=r.map((t,i)=>(i&&(t=t.replace(new RegExp("^/"),"")),i!==r.length-1&&(t=t.replace(new RegExp("/$"),"")),t)),r.join("/")}function F3(...r){let e=[];for(let o=0;o<r.length;o++)e[o]=r[o];let t="",i=!1,n;for(let o=e.length-1;o>=-1&&!i;o--){let s;o>=0?s=e[o]:(n===void 0&&(n=Pm()),s=n),s.length!==0&&(t=`${s}/${t}`,i=s.charCodeAt(0)===Vn)}return t=z3(t,!i),i?`/${t}`:t.length>0?t:"."}var Vn=47,_u=46;function z3(r,e){let t="",i=-1,n=0,o,s=!1;for(let a=0;a<=r.length;++a){if(a<r.length)o=r.charCodeAt(a);else{if(o===Vn)break;o=Vn}if(o===Vn){if(!(i===a-1||n===1))if(i!==a-1&&n===2){if(t.length<2||!s||t.charCodeAt(t.length-1)!==_u||t.charCodeAt(t.length-2)!==_u){if(t.length>2){let c=t.length-1,l=c;for(;l>=0&&t.charCodeAt(l)!==Vn;--l);if(l!==c){t=l===-1?"":t.slice(0,l),i=a,n=0,s=!1;continue}}else if(t.length===2||t.length===1){t="",i=a,n=0,s=!1;continue}}e&&(t.length>0?t+="/..":t="..",s=!0)}else{let c=r.slice(i+1,a);t.length>0?t+=`/${c}`:t=c,s=!1}i=a,n=0}else o===_u&&n!==-1?++n:n=-1}return t}var Ca=class extends Error{constructor(e,t){super(e),this.reason=t.reason,this.url=t.url,this.response=t.response}reason;url;response};var V3=/^data:([-\w.]+\/[-\w.+]+)(;|,)/,$3=/^([-\w.]+\/[-\w.+]+)/;function yu(r,e){return r.toLowerCase()===e.toLowerCase()}function Em(r){let e=$3.exec(r);return e?e[1]:r}function xu(r){let e=V3.exec(r);return e?e[1]:""}var Sm=/\?.*/;function Tm(r){let e=r.match(Sm);return e&&e[0]}function nr(r){return r.replace(Sm,"")}function Lm(r){if(r.length<50)return r;let e=r.slice(r.length-15);return`${r.substr(0,32)}...${e}`}function Dr(r){return ze(r)?r.url:Ue(r)?("name"in r?r.name:"")||"":typeof r=="string"?r:""}function Ai(r){if(ze(r)){let e=r.headers.get("content-type")||"",t=nr(r.url);return Em(e)||xu(t)}return Ue(r)?r.type||"":typeof r=="string"?xu(r):""}function Cm(r){return ze(r)?r.headers["content-length"]||-1:Ue(r)?r.size:typeof r=="string"?r.length:r instanceof ArrayBuffer||ArrayBuffer.isView(r)?r.byteLength:-1}async function Aa(r){if(ze(r))return r;let e={},t=Cm(r);t>=0&&(e["content-length"]=String(t));let i=Dr(r),n=Ai(r);n&&(e["content-type"]=n);let o=await j3(r);o&&(e["x-first-bytes"]=o),typeof r=="string"&&(r=new TextEncoder().encode(r));let s=new Response(r,{headers:e});return Object.defineProperty(s,"url",{value:i}),s}async function Am(r){if(!r.ok)throw await W3(r)}async function W3(r){let e=Lm(r.url),t=`Failed to fetch resource (${r.status}) ${r.statusText}: ${e}`;t=t.length>100?`${t.slice(0,100)}...`:t;let i={reason:r.statusText,url:r.url,response:r};try{let n=r.headers.get("Content-Type");i.reason=!r.bodyUsed&&n?.includes("application/json")?await r.json():await r.text()}catch{}return new Ca(t,i)}async function j3(r){if(typeof r=="string")return`data:,${r.slice(0,5)}`;if(r instanceof Blob){let t=r.slice(0,5);return await new Promise(i=>{let n=new FileReader;n.onload=o=>i(o?.target?.result),n.readAsDataURL(t)})}if(r instanceof ArrayBuffer){let t=r.slice(0,5);return`data:base64,${H3(t)}`}return null}function H3(r){let e="",t=new Uint8Array(r);for(let i=0;i<t.byteLength;i++)e+=String.fromCharCode(t[i]);return btoa(e)}function Y3(r){return!q3(r)&&!Z3(r)}function q3(r){return r.startsWith("http:")||r.startsWith("https:")}function Z3(r){return r.startsWith("data:")}async function bu(r,e){if(typeof r=="string"){let t=gu(r);return Y3(t)&&globalThis.loaders?.fetchNode?globalThis.loaders?.fetchNode(t,e):await fetch(t,e)}return await Aa(r)}Dn();var $n=new Te({id:"loaders.gl"}),Ma=class{log(){return()=>{}}info(){return()=>{}}warn(){return()=>{}}error(){return()=>{}}},Ia=class{console;constructor(){this.console=console}log(...e){return this.console.log.bind(this.console,...e)}info(...e){return this.console.info.bind(this.console,...e)}warn(...e){return this.console.warn.bind(this.console,...e)}error(...e){return this.console.error.bind(this.console,...e)}};var Ra={core:{baseUrl:void 0,fetch:null,mimeType:void 0,fallbackMimeType:void 0,ignoreRegisteredLoaders:void 0,nothrow:!1,log:new Ia,useLocalLibraries:!1,CDN:"https://unpkg.com/@loaders.gl",worker:!0,maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:Mr,_nodeWorkers:!1,_workerType:"",limit:0,_limitMB:0,batchSize:"auto",batchDebounceMs:0,metadata:!1,transforms:[]}},Mm={baseUri:"core.baseUrl",fetch:"core.fetch",mimeType:"core.mimeType",fallbackMimeType:"core.fallbackMimeType",ignoreRegisteredLoaders:"core.ignoreRegisteredLoaders",nothrow:"core.nothrow",log:"core.log",useLocalLibraries:"core.useLocalLibraries",CDN:"core.CDN",worker:"core.worker",maxConcurrency:"core.maxConcurrency",maxMobileConcurrency:"core.maxMobileConcurrency",reuseWorkers:"core.reuseWorkers",_nodeWorkers:"core.nodeWorkers",_workerType:"core._workerType",_worker:"core._workerType",limit:"core.limit",_limitMB:"core._limitMB",batchSize:"core.batchSize",batchDebounceMs:"core.batchDebounceMs",metadata:"core.metadata",transforms:"core.transforms",throws:"nothrow",dataType:"(no longer used)",uri:"core.baseUrl",method:"core.fetch.method",headers:"core.fetch.headers",body:"core.fetch.body",mode:"core.fetch.mode",credentials:"core.fetch.credentials",cache:"core.fetch.cache",redirect:"core.fetch.redirect",referrer:"core.fetch.referrer",referrerPolicy:"core.fetch.referrerPolicy",integrity:"core.fetch.integrity",keepalive:"core.fetch.keepalive",signal:"core.fetch.signal"};var vu=["baseUrl","fetch","mimeType","fallbackMimeType","ignoreRegisteredLoaders","nothrow","log","useLocalLibraries","CDN","worker","maxConcurrency","maxMobileConcurrency","reuseWorkers","_nodeWorkers","_workerType","limit","_limitMB","batchSize","batchDebounceMs","metadata","transforms"];function wu(){globalThis.loaders=globalThis.loaders||{};let{loaders:r}=globalThis;return r._state||(r._state={}),r._state}function Pu(){let r=wu();return r.globalOptions=r.globalOptions||{...Ra,core:{...Ra.core}},$t(r.globalOptions)}function Om(r,e,t,i){return t=t||[],t=Array.isArray(t)?t:[t],X3(r,t),$t(Q3(e,r,i))}function $t(r){let e=e1(r);Bm(e);for(let t of vu)e.core&&e.core[t]!==void 0&&delete e[t];return e.core&&e.core._workerType!==void 0&&delete e._worker,e}function X3(r,e){Im(r,null,Ra,Mm,e);for(let t of e){let i=r&&r[t.id]||{},n=t.options&&t.options[t.id]||{},o=t.deprecatedOptions&&t.deprecatedOptions[t.id]||{};Im(i,t.id,n,o,e)}}function Im(r,e,t,i,n){let o=e||"Top level",s=e?`${e}.`:"";for(let a in r){let c=!e&&vt(r[a]),l=a==="baseUri"&&!e,f=a==="workerUrl"&&e;if(!(a in t)&&!l&&!f){if(a in i)$n.level>0&&$n.warn(`${o} loader option '${s}${a}' no longer supported, use '${i[a]}'`)();else if(!c&&$n.level>0){let u=K3(a,n);$n.warn(`${o} loader option '${s}${a}' not recognized. ${u}`)()}}}}function K3(r,e){let t=r.toLowerCase(),i="";for(let n of e)for(let o in n.options){if(r===o)return`Did you mean '${n.id}.${o}'?`;let s=o.toLowerCase();(t.startsWith(s)||s.startsWith(t))&&(i=i||`Did you mean '${n.id}.${o}'?`)}return i}function Q3(r,e,t){let i=r.options||{},n={...i};i.core&&(n.core={...i.core}),Bm(n),n.core?.log===null&&(n.core={...n.core,log:new Ma}),Rm(n,$t(Pu()));let o=$t(e);return Rm(n,o),J3(n,t),t1(n),n}function Rm(r,e){for(let t in e)if(t in e){let i=e[t];Sa(i)&&Sa(r[t])?r[t]={...r[t],...e[t]}:r[t]=e[t]}}function J3(r,e){if(!e)return;r.core?.baseUrl!==void 0||(r.core||={},r.core.baseUrl=Vt.dirname(nr(e)))}function e1(r){let e={...r};return r.core&&(e.core={...r.core}),e}function Bm(r){r.baseUri!==void 0&&(r.core||={},r.core.baseUrl===void 0&&(r.core.baseUrl=r.baseUri));for(let t of vu)if(r[t]!==void 0){let n=r.core=r.core||{};n[t]===void 0&&(n[t]=r[t])}let e=r._worker;e!==void 0&&(r.core||={},r.core._workerType===void 0&&(r.core._workerType=e))}function t1(r){let e=r.core;if(e)for(let t of vu)e[t]!==void 0&&(r[t]=e[t])}function Wn(r){return r?(Array.isArray(r)&&(r=r[0]),Array.isArray(r?.extensions)):!1}function jn(r){rr(r,"null loader"),rr(Wn(r),"invalid loader");let e;return Array.isArray(r)&&(e=r[1],r=r[0],r={...r,options:{...r.options,...e}}),(r?.parseTextSync||r?.parseText)&&(r.text=!0),r.text||(r.binary=!0),r}var Dm=()=>{let r=wu();return r.loaderRegistry=r.loaderRegistry||[],r.loaderRegistry};function Eu(r){let e=Dm();r=Array.isArray(r)?r:[r];for(let t of r){let i=jn(t);e.find(n=>i===n)||e.unshift(i)}}function km(){return Dm()}var r1=/\.([^.]+)$/;async function zm(r,e=[],t,i){if(!Um(r))return null;let n=$t(t||{});if(n.core||={},r instanceof Response&&Nm(r)){let s=await r.clone().text(),a=Oa(s,e,{...n,core:{...n.core,nothrow:!0}},i);if(a)return a}let o=Oa(r,e,{...n,core:{...n.core,nothrow:!0}},i);if(o)return o;if(Ue(r)&&(r=await r.slice(0,10).arrayBuffer(),o=Oa(r,e,n,i)),!o&&r instanceof Response&&Nm(r)){let s=await r.clone().text();o=Oa(s,e,n,i)}if(!o&&!n.core.nothrow)throw new Error(Gm(r));return o}function Nm(r){let e=Ai(r);return!!(e&&(e.startsWith("text/")||e==="application/json"||e.endsWith("+json")))}function Oa(r,e=[],t,i){if(!Um(r))return null;let n=$t(t||{});if(n.core||={},e&&!Array.isArray(e))return jn(e);let o=[];e&&(o=o.concat(e)),n.core.ignoreRegisteredLoaders||o.push(...km()),n1(o);let s=i1(r,o,n,i);if(!s&&!n.core.nothrow)throw new Error(Gm(r));return s}function i1(r,e,t,i){let n=Dr(r),o=Ai(r),s=nr(n)||i?.url,a=null,c="";return t?.core?.mimeType&&(a=Su(e,t?.core?.mimeType),c=`match forced by supplied MIME type ${t?.core?.mimeType}`),a=a||o1(e,s),c=c||(a?`matched url ${s}`:""),a=a||Su(e,o),c=c||(a?`matched MIME type ${o}`:""),a=a||a1(e,r),c=c||(a?`matched initial data ${Vm(r)}`:""),t?.core?.fallbackMimeType&&(a=a||Su(e,t?.core?.fallbackMimeType),c=c||(a?`matched fallback MIME type ${o}`:"")),c&&Qf.log(1,`selectLoader selected ${a?.name}: ${c}.`),a}function Um(r){return!(r instanceof Response&&r.status===204)}function Gm(r){let e=Dr(r),t=Ai(r),i="No valid loader found (";i+=e?`${Vt.filename(e)}, `:"no url provided, ",i+=`MIME type: ${t?`"${t}"`:"not provided"}, `;let n=r?Vm(r):"";return i+=n?` first bytes: "${n}"`:"first bytes: not available",i+=")",i}function n1(r){for(let e of r)jn(e)}function o1(r,e){let t=e&&r1.exec(e),i=t&&t[1];return i?s1(r,i):null}function s1(r,e){e=e.toLowerCase();for(let t of r)for(let i of t.extensions)if(i.toLowerCase()===e)return t;return null}function Su(r,e){for(let t of r)if(t.mimeTypes?.some(i=>yu(e,i))||yu(e,`application/x.${t.id}`))return t;return null}function a1(r,e){if(!e)return null;for(let t of r)if(typeof e=="string"){if(c1(e,t))return t}else if(ArrayBuffer.isView(e)){if(Fm(e.buffer,e.byteOffset,t))return t}else if(e instanceof ArrayBuffer&&Fm(e,0,t))return t;return null}function c1(r,e){return e.testText?e.testText(r):(Array.isArray(e.tests)?e.tests:[e.tests]).some(i=>r.startsWith(i))}function Fm(r,e,t){return(Array.isArray(t.tests)?t.tests:[t.tests]).some(n=>l1(r,e,t,n))}function l1(r,e,t,i){if(Ti(i))return fu(i,r,i.byteLength);switch(typeof i){case"function":return i(Gn(r));case"string":let n=Tu(r,e,i.length);return i===n;default:return!1}}function Vm(r,e=5){return typeof r=="string"?r.slice(0,e):ArrayBuffer.isView(r)?Tu(r.buffer,r.byteOffset,e):r instanceof ArrayBuffer?Tu(r,0,e):""}function Tu(r,e,t){if(r.byteLength<e+t)return"";let i=new DataView(r),n="";for(let o=0;o<t;o++)n+=String.fromCharCode(i.getUint8(e+o));return n}var f1=256*1024;function*$m(r,e){let t=e?.chunkSize||f1,i=0,n=new TextEncoder;for(;i<r.length;){let o=Math.min(r.length-i,t),s=r.slice(i,i+o);i+=o,yield Gn(n.encode(s))}}function*Wm(r,e={}){let{chunkSize:t=262144}=e,i=0;for(;i<r.byteLength;){let n=Math.min(r.byteLength-i,t),o=new ArrayBuffer(n),s=new Uint8Array(r,i,n);new Uint8Array(o).set(s),i+=n,yield o}}async function*jm(r,e){let t=e?.chunkSize||1048576,i=0;for(;i<r.size;){let n=i+t,o=await r.slice(i,n).arrayBuffer();i=n,yield o}}function Lu(r,e){return Mr?u1(r,e):d1(r,e)}async function*u1(r,e){let t=r.getReader(),i;try{for(;;){let n=i||t.read();e?._streamReadAhead&&(i=t.read());let{done:o,value:s}=await n;if(o)return;yield Ci(s)}}catch{t.releaseLock()}}async function*d1(r,e){for await(let t of r)yield Ci(t)}function Hm(r,e){if(typeof r=="string")return $m(r,e);if(r instanceof ArrayBuffer)return Wm(r,e);if(Ue(r))return jm(r,e);if(kn(r))return Lu(r,e);if(ze(r)){let t=r.body;if(!t)throw new Error("Readable stream not available on Response");return Lu(t,e)}throw new Error("makeIterator")}var Ym="Cannot convert supplied data type";function h1(r,e,t){if(e.text&&typeof r=="string")return r;if(La(r)&&(r=r.buffer),Ti(r)){let i=mu(r);return e.text&&!e.binary?new TextDecoder("utf8").decode(i):Ci(i)}throw new Error(Ym)}async function qm(r,e,t){if(typeof r=="string"||Ti(r))return h1(r,e,t);if(Ue(r)&&(r=await Aa(r)),ze(r))return await Am(r),e.binary?await r.arrayBuffer():await r.text();if(kn(r)&&(r=Hm(r,t)),eu(r)||tu(r))return du(r);throw new Error(Ym)}function Ba(r,e){let t=Pu(),i=r||t,n=i.fetch??i.core?.fetch;return typeof n=="function"?n:vt(n)?o=>bu(o,n):e?.fetch?e?.fetch:bu}function Zm(r,e,t){if(t)return t;let i={fetch:Ba(e,r),...r};if(i.url){let n=nr(i.url);i.baseUrl=n,i.queryString=Tm(i.url),i.filename=Vt.filename(n),i.baseUrl=Vt.dirname(n)}return Array.isArray(i.loaders)||(i.loaders=null),i}function Xm(r,e){if(r&&!Array.isArray(r))return r;let t;if(r&&(t=Array.isArray(r)?r:[r]),e&&e.loaders){let i=Array.isArray(e.loaders)?e.loaders:[e.loaders];t=t?[...t,...i]:i}return t&&t.length?t:void 0}async function Hn(r,e,t,i){e&&!Array.isArray(e)&&!Wn(e)&&(i=void 0,t=e,e=void 0),r=await r,t=t||{};let n=Dr(r),s=Xm(e,i),a=await zm(r,s,t);if(!a)return null;let c=Om(t,a,s,n);return i=Zm({url:n,_parse:Hn,loaders:s},c,i||null),await p1(a,r,c,i)}async function p1(r,e,t,i){if(au(r),t=ru(r.options,t),ze(e)){let{ok:o,redirected:s,status:a,statusText:c,type:l,url:f}=e,u=Object.fromEntries(e.headers.entries());i.response={headers:u,ok:o,redirected:s,status:a,statusText:c,type:l,url:f}}e=await qm(e,r,t);let n=r;if(n.parseTextSync&&typeof e=="string")return n.parseTextSync(e,t,i);if(cu(r,t))return await lu(r,e,t,i,Hn);if(n.parseText&&typeof e=="string")return await n.parseText(e,t,i);if(n.parse)return await n.parse(e,t,i);throw Le(!n.parseSync),new Error(`${r.id} loader - no parser found and worker is disabled`)}async function or(r,e,t,i){let n,o;!Array.isArray(e)&&!Wn(e)?(n=[],o=e,i=void 0):(n=e,o=t);let s=Ba(o),a=r;return typeof r=="string"&&(a=await s(r)),Ue(r)&&(a=await s(r)),typeof r=="string"&&($t(o||{}).core?.baseUrl||(o={...o,core:{...o?.core,baseUrl:r}})),Array.isArray(n)?await Hn(a,n,o):await Hn(a,n,o)}var e_="4.5.4";var g1=globalThis.loaders?.parseImageNode,Au=typeof Image<"u",Mu=typeof ImageBitmap<"u",m1=!!g1,Iu=Mr?!0:m1;function t_(r){switch(r){case"auto":return Mu||Au||Iu;case"imagebitmap":return Mu;case"image":return Au;case"data":return Iu;default:throw new Error(`@loaders.gl/images: image ${r} not supported in this environment`)}}function r_(){if(Mu)return"imagebitmap";if(Au)return"image";if(Iu)return"data";throw new Error("Install '@loaders.gl/polyfills' to parse images under Node.js")}function _1(r){let e=y1(r);if(!e)throw new Error("Not an image");return e}function i_(r){switch(_1(r)){case"data":return r;case"image":case"imagebitmap":let e=document.createElement("canvas"),t=e.getContext("2d");if(!t)throw new Error("getImageData");return e.width=r.width,e.height=r.height,t.drawImage(r,0,0),t.getImageData(0,0,r.width,r.height);default:throw new Error("getImageData")}}function y1(r){return typeof ImageBitmap<"u"&&r instanceof ImageBitmap?"imagebitmap":typeof Image<"u"&&r instanceof Image?"image":r&&typeof r=="object"&&r.data&&r.width&&r.height?"data":null}var x1=/^data:image\/svg\+xml/,b1=/\.svg((\?|#).*)?$/;function Da(r){return r&&(x1.test(r)||b1.test(r))}function n_(r,e){if(Da(e)){let i=new TextDecoder().decode(r);try{typeof unescape=="function"&&typeof encodeURIComponent=="function"&&(i=unescape(encodeURIComponent(i)))}catch(o){throw new Error(o.message)}return`data:image/svg+xml;base64,${btoa(i)}`}return Ru(r,e)}function Ru(r,e){if(Da(e))throw new Error("SVG cannot be parsed directly to imagebitmap");return new Blob([new Uint8Array(r)])}async function ka(r,e,t){let i=n_(r,t),n=self.URL||self.webkitURL,o=typeof i!="string"&&n.createObjectURL(i);try{return await v1(o||i,e)}finally{o&&n.revokeObjectURL(o)}}async function v1(r,e){let t=new Image;return t.src=r,e.image&&e.image.decode&&t.decode?(await t.decode(),t):await new Promise((i,n)=>{try{t.onload=()=>i(t),t.onerror=o=>{let s=o instanceof Error?o.message:"error";n(new Error(s))}}catch(o){n(o)}})}var o_=!0;async function s_(r,e,t){let i;Da(t)?i=await ka(r,e,t):i=Ru(r,t);let n=e&&e.imagebitmap;return await w1(i,n)}async function w1(r,e=null){if((P1(e)||!o_)&&(e=null),e)try{return await createImageBitmap(r,e)}catch(t){console.warn(t),o_=!1}return await createImageBitmap(r)}function P1(r){if(!r)return!0;for(let e in r)if(Object.prototype.hasOwnProperty.call(r,e))return!1;return!0}function a_(r){return!L1(r,"ftyp",4)||(r[8]&96)===0?null:E1(r)}function E1(r){switch(S1(r,8,12).replace("\0"," ").trim()){case"avif":case"avis":return{extension:"avif",mimeType:"image/avif"};default:return null}}function S1(r,e,t){return String.fromCharCode(...r.slice(e,t))}function T1(r){return[...r].map(e=>e.charCodeAt(0))}function L1(r,e,t=0){let i=T1(e);for(let n=0;n<i.length;++n)if(i[n]!==r[n+t])return!1;return!0}var Pt=!1,qn=!0;function Na(r){let e=Zn(r);return A1(e)||R1(e)||M1(e)||I1(e)||C1(e)}function C1(r){let e=new Uint8Array(r instanceof DataView?r.buffer:r),t=a_(e);return t?{mimeType:t.mimeType,width:0,height:0}:null}function A1(r){let e=Zn(r);return e.byteLength>=24&&e.getUint32(0,Pt)===2303741511?{mimeType:"image/png",width:e.getUint32(16,Pt),height:e.getUint32(20,Pt)}:null}function M1(r){let e=Zn(r);return e.byteLength>=10&&e.getUint32(0,Pt)===1195984440?{mimeType:"image/gif",width:e.getUint16(6,qn),height:e.getUint16(8,qn)}:null}function I1(r){let e=Zn(r);return e.byteLength>=14&&e.getUint16(0,Pt)===16973&&e.getUint32(2,qn)===e.byteLength?{mimeType:"image/bmp",width:e.getUint32(18,qn),height:e.getUint32(22,qn)}:null}function R1(r){let e=Zn(r);if(!(e.byteLength>=3&&e.getUint16(0,Pt)===65496&&e.getUint8(2)===255))return null;let{tableMarkers:i,sofMarkers:n}=O1(),o=2;for(;o+9<e.byteLength;){let s=e.getUint16(o,Pt);if(n.has(s))return{mimeType:"image/jpeg",height:e.getUint16(o+5,Pt),width:e.getUint16(o+7,Pt)};if(!i.has(s))return null;o+=2,o+=e.getUint16(o,Pt)}return null}function O1(){let r=new Set([65499,65476,65484,65501,65534]);for(let t=65504;t<65520;++t)r.add(t);return{tableMarkers:r,sofMarkers:new Set([65472,65473,65474,65475,65477,65478,65479,65481,65482,65483,65485,65486,65487,65502])}}function Zn(r){if(r instanceof DataView)return r;if(ArrayBuffer.isView(r))return new DataView(r.buffer);if(r instanceof ArrayBuffer)return new DataView(r);throw new Error("toDataView")}async function c_(r,e){let{mimeType:t}=Na(r)||{},i=globalThis.loaders?.parseImageNode;return rr(i),await i(r,t)}async function l_(r,e,t){e=e||{};let n=(e.image||{}).type||"auto",{url:o}=t||{},s=B1(n),a;switch(s){case"imagebitmap":a=await s_(r,e,o);break;case"image":a=await ka(r,e,o);break;case"data":a=await c_(r,e);break;default:rr(!1)}return n==="data"&&(a=i_(a)),a}function B1(r){switch(r){case"auto":case"data":return r_();default:return t_(r),r}}var D1=["png","jpg","jpeg","gif","webp","bmp","ico","svg","avif"],k1=["image/png","image/jpeg","image/gif","image/webp","image/avif","image/bmp","image/vnd.microsoft.icon","image/svg+xml"],N1={image:{type:"auto",decode:!0}},Ou={dataType:null,batchType:null,id:"image",module:"images",name:"Images",version:e_,mimeTypes:k1,extensions:D1,parse:l_,tests:[r=>!!Na(new DataView(r))],options:N1};Dn();var F1=new Te({id:"deck"}),B=F1;var Bu={};function f_(r){Bu=r}function ee(r,e,t,i){B.level>0&&Bu[r]&&Bu[r].call(null,e,t,i)}function z1(r){let e=r[0],t=r[r.length-1];return e==="{"&&t==="}"||e==="["&&t==="]"}var u_={dataType:null,batchType:null,id:"JSON",name:"JSON",module:"",version:"",options:{},extensions:["json","geojson"],mimeTypes:["application/json","application/geo+json"],testText:z1,parseTextSync:JSON.parse};function U1(){let r="9.4.0",e=globalThis.deck&&globalThis.deck.VERSION;if(e&&e!==r)throw new Error(`deck.gl - multiple versions detected: ${e} vs ${r}`);return e||(B.log(1,`deck.gl ${r}`)(),globalThis.deck={...globalThis.deck,VERSION:r,version:r,log:B,_registerLoggers:f_},Eu([u_,[Ou,{imagebitmap:{premultiplyAlpha:"none"}}]])),r}var d_=U1();Be();var NI=`struct LayerUniforms {
  opacity: f32,
};

@group(0) @binding(auto)
var<uniform> layer: LayerUniforms;
`,Zb=`layout(std140) uniform layerUniforms {
  uniform float opacity;
} layer;
`,Bh={name:"layer",source:NI,vs:Zb,fs:Zb,getUniforms:r=>({opacity:Math.pow(r.opacity,.45454545454545453)}),uniformTypes:{opacity:"f32"}};var FI=`

@must_use
fn deckgl_premultiplied_alpha(fragColor: vec4<f32>) -> vec4<f32> {
    return vec4(fragColor.rgb * fragColor.a, fragColor.a); 
};
`,fe={name:"color",dependencies:[],source:FI,getUniforms:r=>({})};var zI=`const SMOOTH_EDGE_RADIUS: f32 = 0.5;

struct VertexGeometry {
  position: vec4<f32>,
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry_: VertexGeometry = VertexGeometry(
  vec4<f32>(0.0, 0.0, 1.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec2<f32>(0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0)
);

struct FragmentGeometry {
  uv: vec2<f32>,
};

var<private> fragmentGeometry: FragmentGeometry;

fn smoothedge(edge: f32, x: f32) -> f32 {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`,Xb="#define SMOOTH_EDGE_RADIUS 0.5",UI=`${Xb}

struct VertexGeometry {
  vec4 position;
  vec3 worldPosition;
  vec3 worldPositionAlt;
  vec3 normal;
  vec2 uv;
  vec3 pickingColor;
} geometry = VertexGeometry(
  vec4(0.0, 0.0, 1.0, 0.0),
  vec3(0.0),
  vec3(0.0),
  vec3(0.0),
  vec2(0.0),
  vec3(0.0)
);
`,GI=`${Xb}

struct FragmentGeometry {
  vec2 uv;
};
FragmentGeometry geometry;

float smoothedge(float edge, float x) {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`,Rc={name:"geometry",source:zI,vs:UI,fs:GI};Be();_e();var N;(function(r){r[r.Start=1]="Start",r[r.Move=2]="Move",r[r.End=4]="End",r[r.Cancel=8]="Cancel"})(N||(N={}));var Q;(function(r){r[r.None=0]="None",r[r.Left=1]="Left",r[r.Right=2]="Right",r[r.Up=4]="Up",r[r.Down=8]="Down",r[r.Horizontal=3]="Horizontal",r[r.Vertical=12]="Vertical",r[r.All=15]="All"})(Q||(Q={}));var M;(function(r){r[r.Possible=1]="Possible",r[r.Began=2]="Began",r[r.Changed=4]="Changed",r[r.Ended=8]="Ended",r[r.Recognized=8]="Recognized",r[r.Cancelled=16]="Cancelled",r[r.Failed=32]="Failed"})(M||(M={}));var Kb="compute",Dh="auto",ii="manipulation",ni="none",Ao="pan-x",Mo="pan-y";function kh(r){if(r.includes(ni))return ni;let e=r.includes(Ao),t=r.includes(Mo);return e&&t?ni:e||t?e?Ao:Mo:r.includes(ii)?ii:Dh}var Io=class{constructor(e,t){this.actions="",this.manager=e,this.set(t)}set(e){e===Kb&&(e=this.compute()),this.manager.element&&(this.manager.element.style.touchAction=e,this.actions=e)}update(){this.set(this.manager.options.touchAction)}compute(){let e=[];for(let t of this.manager.recognizers)t.options.enable&&(e=e.concat(t.getTouchAction()));return kh(e.join(" "))}};function ji(r){return r.trim().split(/\s+/g)}function Oc(r,e,t){if(r)for(let i of ji(e))r.addEventListener(i,t,!1)}function Bc(r,e,t){if(r)for(let i of ji(e))r.removeEventListener(i,t,!1)}function Nh(r){return(r.ownerDocument||r).defaultView}function Fh(r,e){let t=r;for(;t;){if(t===e)return!0;t=t.parentNode}return!1}function Dc(r){let e=r.length;if(e===1)return{x:Math.round(r[0].clientX),y:Math.round(r[0].clientY)};let t=0,i=0,n=0;for(;n<e;)t+=r[n].clientX,i+=r[n].clientY,n++;return{x:Math.round(t/e),y:Math.round(i/e)}}function zh(r){let e=[],t=0;for(;t<r.pointers.length;)e[t]={clientX:Math.round(r.pointers[t].clientX),clientY:Math.round(r.pointers[t].clientY)},t++;return{timeStamp:Date.now(),pointers:e,center:Dc(e),deltaX:r.deltaX,deltaY:r.deltaY}}function Hi(r,e){let t=e.x-r.x,i=e.y-r.y;return Math.sqrt(t*t+i*i)}function Ro(r,e){let t=e.clientX-r.clientX,i=e.clientY-r.clientY;return Math.sqrt(t*t+i*i)}function Qb(r,e){let t=e.x-r.x,i=e.y-r.y;return Math.atan2(i,t)*180/Math.PI}function Uh(r,e){let t=e.clientX-r.clientX,i=e.clientY-r.clientY;return Math.atan2(i,t)*180/Math.PI}function Yi(r,e){return r===e?Q.None:Math.abs(r)>=Math.abs(e)?r<0?Q.Left:Q.Right:e<0?Q.Up:Q.Down}function Jb(r,e){let t=e.center,i=r.offsetDelta,n=r.prevDelta,o=r.prevInput;return(e.eventType===N.Start||o?.eventType===N.End)&&(n=r.prevDelta={x:o?.deltaX||0,y:o?.deltaY||0},i=r.offsetDelta={x:t.x,y:t.y}),{deltaX:n.x+(t.x-i.x),deltaY:n.y+(t.y-i.y)}}function kc(r,e,t){return{x:e/r||0,y:t/r||0}}function e0(r,e){return Ro(e[0],e[1])/Ro(r[0],r[1])}function t0(r,e){return Uh(e[1],e[0])-Uh(r[1],r[0])}function r0(r,e){let t=r.lastInterval||e,i=e.timeStamp-t.timeStamp,n,o,s,a;if(e.eventType!==N.Cancel&&(i>25||t.velocity===void 0)){let c=e.deltaX-t.deltaX,l=e.deltaY-t.deltaY,f=kc(i,c,l);o=f.x,s=f.y,n=Math.abs(f.x)>Math.abs(f.y)?f.x:f.y,a=Yi(c,l),r.lastInterval=e}else n=t.velocity,o=t.velocityX,s=t.velocityY,a=t.direction;e.velocity=n,e.velocityX=o,e.velocityY=s,e.direction=a}function Gh(r,e){return"pointerId"in r?r.pointerId:e}function i0(r,e){r.movementOrigin=new Map(e.map((t,i)=>[Gh(t,i),{clientX:t.clientX,clientY:t.clientY}])),r.firstMovementTime=void 0}function $I(r,e){let t=e.pointers.map(Gh);if(r.movementOrigin?.size===t.length&&t.every(n=>r.movementOrigin.has(n))||i0(r,e.pointers),e.distancePerPointer=e.pointers.map((n,o)=>Ro(r.movementOrigin.get(t[o]),n)),e.eventType&N.Move&&e.distancePerPointer.some(n=>n>0)&&(r.firstMovementTime??(r.firstMovementTime=e.timeStamp)),e.movementDeltaTime=r.firstMovementTime===void 0?0:e.timeStamp-r.firstMovementTime,e.eventType&(N.End|N.Cancel)){let n=e.changedPointers.map(o=>Gh(o,e.pointers.indexOf(o)));i0(r,e.pointers.filter((o,s)=>!n.includes(t[s])))}}function n0(r,e){let{session:t}=r,{pointers:i}=e,{length:n}=i;t.firstInput||(t.firstInput=zh(e)),n>1&&!t.firstMultiple?t.firstMultiple=zh(e):n===1&&(t.firstMultiple=!1);let{firstInput:o,firstMultiple:s}=t,a=s?s.center:o.center,c=e.center=Dc(i);e.timeStamp=Date.now(),e.deltaTime=e.timeStamp-o.timeStamp,$I(t,e),e.angle=Qb(a,c),e.distance=Hi(a,c);let{deltaX:l,deltaY:f}=Jb(t,e);e.deltaX=l,e.deltaY=f,e.offsetDirection=Yi(e.deltaX,e.deltaY);let u=kc(e.deltaTime,e.deltaX,e.deltaY);e.overallVelocityX=u.x,e.overallVelocityY=u.y,e.overallVelocity=Math.abs(u.x)>Math.abs(u.y)?u.x:u.y,e.scale=s?e0(s.pointers,i):1,e.rotation=s?t0(s.pointers,i):0,e.maxPointers=t.prevInput?e.pointers.length>t.prevInput.maxPointers?e.pointers.length:t.prevInput.maxPointers:e.pointers.length;let d=r.element;return Fh(e.srcEvent.target,d)&&(d=e.srcEvent.target),e.target=d,r0(t,e),e}function o0(r,e,t){let i=t.pointers.length,n=t.changedPointers.length,o=e&N.Start&&i-n===0,s=e&(N.End|N.Cancel)&&i-n===0;t.isFirst=!!o,t.isFinal=!!s,o&&(r.session={}),t.eventType=e;let a=n0(r,t);r.emit("hammer.input",a),r.recognize(a),r.session.prevInput=a}var Oo=class{constructor(e){this.evEl="",this.evWin="",this.evTarget="",this.domHandler=t=>{this.manager.options.enable&&this.handler(t)},this.manager=e,this.element=e.element,this.target=e.options.inputTarget||e.element}callback(e,t){o0(this.manager,e,t)}init(){Oc(this.element,this.evEl,this.domHandler),Oc(this.target,this.evTarget,this.domHandler),Oc(Nh(this.element),this.evWin,this.domHandler)}destroy(){Bc(this.element,this.evEl,this.domHandler),Bc(this.target,this.evTarget,this.domHandler),Bc(Nh(this.element),this.evWin,this.domHandler)}};var WI={pointerdown:N.Start,pointermove:N.Move,pointerup:N.End,pointercancel:N.Cancel,pointerout:N.Cancel},jI="pointerdown",HI="pointermove pointerup pointercancel",Bo=class extends Oo{constructor(e){super(e),this.evEl=jI,this.evWin=HI,this.store=this.manager.session.pointerEvents=[],this.init()}handler(e){let{store:t}=this,i=!1,n=WI[e.type],o=e.pointerType,s=o==="touch",a=t.findIndex(c=>c.pointerId===e.pointerId);n&N.Start&&(e.buttons||s)?a<0&&(t.push(e),a=t.length-1):n&(N.End|N.Cancel)&&(i=!0),!(a<0)&&(t[a]=e,this.callback(n,{pointers:t,changedPointers:[e],eventType:n,pointerType:o,srcEvent:e}),i&&t.splice(a,1))}};var YI=["","webkit","Moz","MS","ms","o"];function s0(r,e){let t=e[0].toUpperCase()+e.slice(1);for(let i of YI){let n=i?i+t:e;if(n in r)return n}}var qI=1,a0=2,c0={touchAction:"compute",enable:!0,inputTarget:null,cssProps:{userSelect:"none",userDrag:"none",touchCallout:"none",tapHighlightColor:"rgba(0,0,0,0)"}},Do=class{constructor(e,t){this.options={...c0,...t,cssProps:{...c0.cssProps,...t.cssProps},inputTarget:t.inputTarget||e},this.handlers={},this.session={},this.recognizers=[],this.oldCssProps={},this.element=e,this.input=new Bo(this),this.touchAction=new Io(this,this.options.touchAction),this.toggleCssProps(!0)}set(e){return Object.assign(this.options,e),e.touchAction&&this.touchAction.update(),e.inputTarget&&(this.input.destroy(),this.input.target=e.inputTarget,this.input.init()),this}stop(e){this.session.stopped=e?a0:qI}recognize(e){let{session:t}=this;if(t.stopped)return;this.session.prevented&&e.srcEvent.preventDefault();let i,{recognizers:n}=this,{curRecognizer:o}=t;(!o||o&&o.state&M.Recognized)&&(o=t.curRecognizer=null);let s=0;for(;s<n.length;)i=n[s],t.stopped!==a0&&(!o||i===o||i.canRecognizeWith(o))?i.recognize(e):i.reset(),!o&&i.state&(M.Began|M.Changed|M.Ended)&&(o=t.curRecognizer=i),s++}get(e){let{recognizers:t}=this;for(let i=0;i<t.length;i++)if(t[i].options.event===e)return t[i];return null}add(e){if(Array.isArray(e)){for(let i of e)this.add(i);return this}let t=this.get(e.options.event);return t&&this.remove(t),this.recognizers.push(e),e.manager=this,this.touchAction.update(),e}remove(e){if(Array.isArray(e)){for(let i of e)this.remove(i);return this}let t=typeof e=="string"?this.get(e):e;if(t){let{recognizers:i}=this,n=i.indexOf(t);n!==-1&&(i.splice(n,1),this.touchAction.update())}return this}on(e,t){if(!e||!t)return;let{handlers:i}=this;for(let n of ji(e))i[n]=i[n]||[],i[n].push(t)}off(e,t){if(!e)return;let{handlers:i}=this;for(let n of ji(e))t?i[n]&&i[n].splice(i[n].indexOf(t),1):delete i[n]}emit(e,t){let i=this.handlers[e]&&this.handlers[e].slice();if(!i||!i.length)return;let n=t;n.type=e,n.preventDefault=function(){t.srcEvent.preventDefault()};let o=0;for(;o<i.length;)i[o](n),o++}destroy(){this.toggleCssProps(!1),this.handlers={},this.session={},this.input.destroy(),this.element=null}toggleCssProps(e){let{element:t}=this;if(t){for(let[i,n]of Object.entries(this.options.cssProps)){let o=s0(t.style,i);e?(this.oldCssProps[o]=t.style[o],t.style[o]=n):t.style[o]=this.oldCssProps[o]||""}e||(this.oldCssProps={})}}};var ZI=1;function l0(){return ZI++}function Vh(r){return r&M.Cancelled?"cancel":r&M.Ended?"end":r&M.Changed?"move":r&M.Began?"start":""}var at=class{constructor(e){this.options=e,this.id=l0(),this.state=M.Possible,this.simultaneous={},this.requireFail=[]}set(e){return Object.assign(this.options,e),this.manager.touchAction.update(),this}recognizeWith(e){if(Array.isArray(e)){for(let n of e)this.recognizeWith(n);return this}let t;if(typeof e=="string"){if(t=this.manager.get(e),!t)throw new Error(`Cannot find recognizer ${e}`)}else t=e;let{simultaneous:i}=this;return i[t.id]||(i[t.id]=t,t.recognizeWith(this)),this}dropRecognizeWith(e){if(Array.isArray(e)){for(let i of e)this.dropRecognizeWith(i);return this}let t;return typeof e=="string"?t=this.manager.get(e):t=e,t&&delete this.simultaneous[t.id],this}requireFailure(e){if(Array.isArray(e)){for(let n of e)this.requireFailure(n);return this}let t;if(typeof e=="string"){if(t=this.manager.get(e),!t)throw new Error(`Cannot find recognizer ${e}`)}else t=e;let{requireFail:i}=this;return i.indexOf(t)===-1&&(i.push(t),t.requireFailure(this)),this}dropRequireFailure(e){if(Array.isArray(e)){for(let i of e)this.dropRequireFailure(i);return this}let t;if(typeof e=="string"?t=this.manager.get(e):t=e,t){let i=this.requireFail.indexOf(t);i>-1&&this.requireFail.splice(i,1)}return this}hasRequireFailures(){return!!this.requireFail.find(e=>e.options.enable)}canRecognizeWith(e){return!!this.simultaneous[e.id]}emit(e){if(!e)return;let{state:t}=this;t<M.Ended&&this.manager.emit(this.options.event+Vh(t),e),this.manager.emit(this.options.event,e),e.additionalEvent&&this.manager.emit(e.additionalEvent,e),t>=M.Ended&&this.manager.emit(this.options.event+Vh(t),e)}tryEmit(e){this.canEmit()?this.emit(e):this.state=M.Failed}canEmit(){let e=0;for(;e<this.requireFail.length;){if(!(this.requireFail[e].state&(M.Failed|M.Possible)))return!1;e++}return!0}recognize(e){let t={...e};if(!this.options.enable){this.reset(),this.state=M.Failed;return}this.state&(M.Recognized|M.Cancelled|M.Failed)&&(this.state=M.Possible),this.state=this.process(t),this.state&(M.Began|M.Changed|M.Ended|M.Cancelled)&&this.tryEmit(t)}getEventNames(){return[this.options.event]}reset(){}};function XI(r){return Math.abs(((r+180)%360+360)%360-180)}function KI(r,e){return(e.distance===void 0||r.distance>=e.distance)&&(e.distancePerPointer===void 0||r.distancePerPointer.length>0&&r.distancePerPointer.every(t=>t>=e.distancePerPointer))&&(e.movementDeltaTime===void 0||r.movementDeltaTime>=e.movementDeltaTime)&&(e.rotation===void 0||XI(r.rotation)>=e.rotation)&&(e.scale===void 0||Math.abs(r.scale-1)>=e.scale)}var oi=class extends at{attrTest(e){let t=this.options.pointers;return t===0||e.pointers.length===t}coherentTest(e){let t=this.options.coherent;return!t?.length||t.some(i=>KI(e,i))}process(e){let{state:t}=this,{eventType:i}=e,n=t&(M.Began|M.Changed),o=this.attrTest(e);return n&&(i&N.Cancel||!o)?t|M.Cancelled:n||o?i&N.End?t|M.Ended:t&M.Began?t|M.Changed:M.Began:M.Failed}};var QI=["","start","move","end","cancel"],qi=class extends at{constructor(e={}){super({enable:!0,event:"doubleclickdrag",pointers:1,interval:500,time:350,threshold:28,dragThreshold:1,pixelsPerScale:120,...e}),this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}getTouchAction(){return[ii]}getEventNames(){return QI.map(e=>this.options.event+e)}process(e){let{options:t}=this;return e.pointers.length===t.pointers?e.eventType&N.Start?this._handleStart(e):e.eventType&N.Move?this._handleMove(e):e.eventType&N.Cancel?this._handleEnd(e,!0):e.eventType&N.End?this._handleEnd(e,!1):M.Failed:(this.reset(),M.Failed)}reset(){this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}emit(e){if(e){if(this.state===M.Began){if(!this._drag?.active||this._emittedStart)return;this._emittedStart=!0,this.manager.emit(`${this.options.event}start`,e),this.manager.emit(this.options.event,e);return}if(this.state===M.Changed){if(!this._emittedStart)return;this.manager.emit(`${this.options.event}move`,e),this.manager.emit(this.options.event,e);return}if(this.state===M.Ended){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}end`,e),this._emittedStart=!1;return}if(this.state===M.Cancelled){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}cancel`,e),this._emittedStart=!1}}}_handleStart(e){let t=this._getPointerId(e);return this._lastTap&&this._isTapMatch(e,this._lastTap)?(this._tapStart=null,this._lastTap=null,this._drag={startCenter:e.center,pointerId:t,active:!1},this._emittedStart=!1,M.Began):(this._tapStart={center:e.center,timeStamp:e.timeStamp,pointerId:t},this._lastTap=null,this._drag=null,this._emittedStart=!1,M.Failed)}_handleMove(e){if(!this._drag||!this._isSamePointer(e,this._drag.pointerId))return M.Failed;let t=this._drag.startCenter.y-e.center.y;return!this._drag.active&&Math.abs(t)<this.options.dragThreshold?M.Began:(this._drag.active=!0,e.scale=Math.pow(2,t/this.options.pixelsPerScale),this._emittedStart?M.Changed:M.Began)}_handleEnd(e,t){if(this._drag&&this._isSamePointer(e,this._drag.pointerId)){let{active:i,startCenter:n}=this._drag;if(this._drag=null,this._tapStart=null,this._lastTap=null,!i)return this._emittedStart=!1,M.Failed;let o=n.y-e.center.y;return e.scale=Math.pow(2,o/this.options.pixelsPerScale),t?M.Cancelled:M.Ended}return!this._tapStart||!this._isSamePointer(e,this._tapStart.pointerId)?(t&&this.reset(),M.Failed):(this._isValidTap(e)?this._lastTap={center:e.center,timeStamp:e.timeStamp,pointerId:this._tapStart.pointerId}:this._lastTap=null,this._tapStart=null,M.Failed)}_isTapMatch(e,t){return e.timeStamp-t.timeStamp<=this.options.interval&&Hi(e.center,t.center)<=this.options.threshold}_isValidTap(e){return e.deltaTime<=this.options.time&&e.distance<=this.options.threshold}_getPointerId(e){return"pointerId"in e.srcEvent?e.srcEvent.pointerId:null}_isSamePointer(e,t){return t===null||this._getPointerId(e)===t}};var si=class extends at{constructor(e={}){super({enable:!0,event:"tap",pointers:1,taps:1,interval:300,time:250,threshold:9,posThreshold:10,...e}),this.pTime=null,this.pCenter=null,this._timer=null,this._input=null,this.count=0}getTouchAction(){return[ii]}process(e){let{options:t}=this,i=e.pointers.length===t.pointers,n=e.distance<t.threshold,o=e.deltaTime<t.time;if(this.reset(),e.eventType&N.Start&&this.count===0)return this.failTimeout();if(n&&o&&i){if(e.eventType!==N.End)return this.failTimeout();let s=this.pTime?e.timeStamp-this.pTime<t.interval:!0,a=!this.pCenter||Hi(this.pCenter,e.center)<t.posThreshold;if(this.pTime=e.timeStamp,this.pCenter=e.center,!a||!s?this.count=1:this.count+=1,this._input=e,this.count%t.taps===0)return this.hasRequireFailures()?(this._timer=setTimeout(()=>{this.state=M.Recognized,this.tryEmit(this._input)},t.interval),M.Began):M.Recognized}return M.Failed}failTimeout(){return this._timer=setTimeout(()=>{this.state=M.Failed},this.options.interval),M.Failed}reset(){clearTimeout(this._timer)}emit(e){this.state===M.Recognized&&(e.tapCount=this.count,this.manager.emit(this.options.event,e))}};var Zi=class extends oi{constructor(){super(...arguments),this.wheelSession=null,this.wheelSessionUnsubscribe=null,this.handleWheelSessionEvent=e=>{e.device==="trackpad"&&this.handleTrackpadEvent(e)}}set(e){let{wheelSession:t,...i}=e;return t&&t!==this.wheelSession&&(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=null,this.wheelSession=t),super.set(i),this.updateWheelSessionSubscription(),this}getTrackpadInput(e,t={}){let{srcEvent:i}=e,n=t.deltaX??e.deltaX,o=t.deltaY??e.deltaY,s=Yi(n,o),a=Math.sqrt(e.deltaX*e.deltaX+e.deltaY*e.deltaY),c=i;return{pointers:[c,c],changedPointers:[c,c],pointerType:"trackpad",srcEvent:c,eventType:e.eventType,timeStamp:e.timeStamp,deltaTime:e.deltaTime,center:e.center,deltaX:n,deltaY:o,angle:Math.atan2(o,n)*180/Math.PI,distance:Math.sqrt(n*n+o*o),distancePerPointer:[a,a],movementDeltaTime:e.deltaTime,scale:1,rotation:0,direction:s,offsetDirection:s,velocity:e.velocity,velocityX:e.velocityX,velocityY:e.velocityY,overallVelocity:e.overallVelocity,overallVelocityX:e.overallVelocityX,overallVelocityY:e.overallVelocityY,maxPointers:2,target:i.target||this.manager.element,additionalEvent:"",...t}}updateWheelSessionSubscription(){let e=!!(this.wheelSession&&this.options.enable&&this.options.trackpad&&this.options.pointers===2);e&&!this.wheelSessionUnsubscribe?this.wheelSessionUnsubscribe=this.wheelSession.on(this.handleWheelSessionEvent):!e&&this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe(),this.wheelSessionUnsubscribe=null)}};var JI=["","start","move","end","cancel","up","down","left","right"],gr=class extends Zi{constructor(e={}){super({enable:!0,pointers:1,event:"pan",threshold:10,direction:Q.All,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1,this.pX=null,this.pY=null}getTouchAction(){let{options:{direction:e}}=this,t=[];return e&Q.Horizontal&&t.push(Mo),e&Q.Vertical&&t.push(Ao),t}getEventNames(){return JI.map(e=>this.options.event+e)}directionTest(e){let{options:t}=this,i=!0,{distance:n}=e,{direction:o}=e,s=e.deltaX,a=e.deltaY;return o&t.direction||(t.direction&Q.Horizontal?(o=s===0?Q.None:s<0?Q.Left:Q.Right,i=s!==this.pX,n=Math.abs(e.deltaX)):(o=a===0?Q.None:a<0?Q.Up:Q.Down,i=a!==this.pY,n=Math.abs(e.deltaY))),e.direction=o,i&&n>t.threshold&&!!(o&t.direction)}attrTest(e){let t=!!(this.state&M.Began),i=!(this.options.coherent?.length&&e.eventType&(N.End|N.Cancel));return super.attrTest(e)&&(t||i&&this.coherentTest(e)&&this.directionTest(e))}emit(e){this.pX=e.deltaX,this.pY=e.deltaY;let t=Q[e.direction].toLowerCase();t&&(e.additionalEvent=this.options.event+t),super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=!e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(M.Recognized|M.Cancelled|M.Failed)&&(this.state=M.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:-e.deltaX,deltaY:-e.deltaY,velocity:-e.velocity,velocityX:-e.velocityX,velocityY:-e.velocityY,overallVelocity:-e.overallVelocity,overallVelocityX:-e.overallVelocityX,overallVelocityY:-e.overallVelocityY})),e.isFinal&&(this.trackpadGesture=!1))}};var eR=["","start","move","end","cancel","in","out"],Xi=class extends Zi{constructor(e={}){super({enable:!0,event:"pinch",threshold:0,pointers:2,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1}getTouchAction(){return[ni]}getEventNames(){return eR.map(e=>this.options.event+e)}attrTest(e){let t=!!this.options.coherent?.length,i=!!(this.state&M.Began),n=!(t&&e.eventType&(N.End|N.Cancel));return super.attrTest(e)&&(i||n&&(t?this.coherentTest(e):Math.abs(e.scale-1)>this.options.threshold))}emit(e){if(e.scale!==1){let t=e.scale<1?"in":"out";e.additionalEvent=this.options.event+t}super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(M.Recognized|M.Cancelled|M.Failed)&&(this.state=M.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:0,deltaY:0,velocity:0,velocityX:0,velocityY:0,overallVelocity:0,overallVelocityX:0,overallVelocityY:0,scale:Math.exp(-e.deltaY/100)})),e.isFinal&&(this.trackpadGesture=!1))}};var Ct=class{constructor(e,t,i){this.element=e,this.callback=t,this.options=i}listen(e,t){t?this.element.addEventListener(e,this.handleEvent,{passive:!1}):this.element.removeEventListener(e,this.handleEvent)}};var f0=typeof navigator<"u"&&navigator.userAgent?navigator.userAgent.toLowerCase():"";var nR=f0.indexOf("firefox")!==-1,oR=40,sR=.25,Nc=class extends Ct{constructor(e,t,i){i.enable=i.enable??!1,super(e,t,i),this.handleEvent=n=>{if(!this.options.enable)return;let o=n.deltaY;globalThis.WheelEvent&&(nR&&n.deltaMode===globalThis.WheelEvent.DOM_DELTA_PIXEL&&(o/=globalThis.devicePixelRatio),n.deltaMode===globalThis.WheelEvent.DOM_DELTA_LINE&&(o*=oR)),n.shiftKey&&o&&(o=o*sR),this.callback({type:"wheel",center:{x:n.clientX,y:n.clientY},delta:-o,device:this.options.wheelSession?.device??"unknown",srcEvent:n,pointerType:"mouse",target:n.target})},i.enable&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{}),this.listen("wheel",!0))}destroy(){this.listen("wheel",!1),this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0}enableEventType(e,t){e==="wheel"&&this.options.enable!==t&&(this.options.enable=t,t&&!this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{})),this.listen("wheel",t),t||(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0))}};var aR=4.000244140625,u0=40,cR=0,lR=1,fR=40,d0=40,uR=120,dR={classificationDelay:32,endDelay:80},Fc=class{constructor(e,t={}){this.subscriptions=new Map,this.session=null,this.classificationTimer=null,this.endTimer=null,this.pressedControlKeys=new Set,this.listeningForControlKeys=!1,this.handleEvent=i=>{if(!this.hasSubscribers)return"unknown";let n=pR(i,this.pressedControlKeys.size>0),o=this.session;if(o&&n.timeStamp-o.lastTimeStamp>=this.options.endDelay){if(this.end(),!this.hasSubscribers)return"unknown";o=null}o?(this.scheduleEnd(),this.addSample(o,n)):(o=this.startPendingSession(n),this.scheduleEnd());let{device:s}=o;return s==="unknown"&&(s=$h(o.samples,!1),s!=="unknown"&&this.begin(o,s)),s},this.finishClassification=()=>{if(this.classificationTimer=null,!this.session||this.session.device!=="unknown")return;let i=this.session,n=$h(i.samples,!0);this.begin(i,n==="unknown"?"mouse":n)},this.end=()=>{if(!this.session)return;if(this.session.device==="unknown"){let n=this.session,o=$h(n.samples,!0);this.begin(n,o==="unknown"?"mouse":o)}if(!this.session)return;let i=this.session;this.emit(N.End,i.lastEvent),this.reset()},this.handleKeyDown=i=>{i.key==="Control"&&this.pressedControlKeys.add(i.code||i.key)},this.handleKeyUp=i=>{i.key==="Control"&&(i.code?this.pressedControlKeys.delete(i.code):this.pressedControlKeys.clear())},this.handleWindowBlur=()=>{this.pressedControlKeys.clear()},this.element=e,this.options={...dR,...t},this.element?.addEventListener("wheel",this.handleEvent,{passive:!0})}get hasSubscribers(){return this.subscriptions.size>0}get device(){return this.session?.device??"unknown"}on(e){let t={listener:e};return this.subscriptions.set(e,t),this.updateControlKeyEventListeners(),()=>{this.subscriptions.get(e)===t&&this.off(e)}}off(e){this.subscriptions.delete(e),this.updateControlKeyEventListeners(),this.hasSubscribers||this.reset()}cancel(){let e=this.session;e&&e.device!=="unknown"&&this.emit(N.Cancel,e.lastEvent),this.reset()}destroy(){this.cancel(),this.subscriptions.clear(),this.updateControlKeyEventListeners(),this.element?.removeEventListener("wheel",this.handleEvent)}startPendingSession(e){let t={samples:[e],device:"unknown",firstTimeStamp:e.timeStamp,lastTimeStamp:e.timeStamp,totalDeltaX:e.deltaX,totalDeltaY:e.deltaY,velocityX:0,velocityY:0,lastEvent:e.event};return this.session=t,this.classificationTimer=globalThis.setTimeout(this.finishClassification,this.options.classificationDelay),t}addSample(e,t){if(e.samples.push(t),e.lastTimeStamp=t.timeStamp,e.lastEvent=t.event,e.totalDeltaX+=t.deltaX,e.totalDeltaY+=t.deltaY,e.device!=="unknown"){let i=e.samples[e.samples.length-2],n=t.timeStamp-i.timeStamp;e.velocityX=n>0?t.deltaX/n:0,e.velocityY=n>0?t.deltaY/n:0,this.emit(N.Move,t.event,{velocityX:e.velocityX,velocityY:e.velocityY})}}begin(e,t){e.device=t,this.clearClassificationTimer(),this.emit(N.Start,e.samples[0].event);let i=e.lastTimeStamp-e.firstTimeStamp;e.velocityX=i>0?e.totalDeltaX/i:0,e.velocityY=i>0?e.totalDeltaY/i:0,this.emit(N.Move,e.lastEvent,{velocityX:e.velocityX,velocityY:e.velocityY})}scheduleEnd(){this.clearEndTimer(),this.endTimer=globalThis.setTimeout(this.end,this.options.endDelay)}emit(e,t,i){let n=this.session;if(!n||n.device==="unknown")return;let o=e===N.Start,s=e===N.End||e===N.Cancel,a=o?n.firstTimeStamp:n.lastTimeStamp,c=o?0:Math.max(0,a-n.firstTimeStamp),l=o?0:n.totalDeltaX,f=o?0:n.totalDeltaY,u=c>0?l/c:0,d=c>0?f/c:0,h=o?0:i?.velocityX??n.velocityX,p=o?0:i?.velocityY??n.velocityY,g={eventType:e,device:n.device,srcEvent:t,timeStamp:a,center:{x:t.clientX,y:t.clientY},deltaX:l,deltaY:f,deltaTime:c,velocity:Math.abs(h)>Math.abs(p)?h:p,velocityX:h,velocityY:p,overallVelocity:Math.abs(u)>Math.abs(d)?u:d,overallVelocityX:u,overallVelocityY:d,isFirst:o,isFinal:s};for(let{listener:m}of[...this.subscriptions.values()])m(g)}reset(){this.clearClassificationTimer(),this.clearEndTimer(),this.session=null}clearClassificationTimer(){this.classificationTimer!==null&&(globalThis.clearTimeout(this.classificationTimer),this.classificationTimer=null)}clearEndTimer(){this.endTimer!==null&&(globalThis.clearTimeout(this.endTimer),this.endTimer=null)}updateControlKeyEventListeners(){let e=this.hasSubscribers,t=hR();!t||e===this.listeningForControlKeys||(this.listeningForControlKeys=e,e?(t.addEventListener("keydown",this.handleKeyDown,!0),t.addEventListener("keyup",this.handleKeyUp,!0),t.addEventListener("blur",this.handleWindowBlur)):(t.removeEventListener("keydown",this.handleKeyDown,!0),t.removeEventListener("keyup",this.handleKeyUp,!0),t.removeEventListener("blur",this.handleWindowBlur),this.pressedControlKeys.clear()))}};function hR(){return typeof window<"u"?window:globalThis.document?.defaultView}function pR(r,e){let t=r.deltaX,i=r.deltaY;return r.deltaMode===lR&&(t*=u0,i*=u0),{event:r,timeStamp:r.timeStamp,deltaX:t,deltaY:i,isControlKeyDown:e}}function $h(r,e){return r.some(({event:t,isControlKeyDown:i})=>t.ctrlKey&&!i)?"trackpad":r.some(({event:t})=>t.deltaMode!==cR)||r.some(gR)||r.every(({event:t})=>{let i=t.wheelDelta;return i!==void 0&&Math.abs(i)%40===0})?"mouse":r.some(({deltaX:t})=>t!==0)||r.length>1&&mR(r)?"trackpad":e?"mouse":"unknown"}function gR({event:r,deltaX:e,deltaY:t}){if(e!==0||t===0)return!1;let i=Math.abs(t/aR);if(Number.isInteger(i))return!0;let n=r.wheelDelta;return typeof n=="number"&&n!==0&&n%uR===0}function mR(r){for(let e=0;e<r.length;e++){let t=r[e];if(Math.abs(t.deltaX)>d0||Math.abs(t.deltaY)>d0||e>0&&t.timeStamp-r[e-1].timeStamp>fR)return!1}return!0}var h0=["mousedown","mousemove","mouseup","mouseover","mouseout","mouseenter","mouseleave"],zc=class extends Ct{constructor(e,t,i){super(e,t,{enable:!0,...i}),this.handleEvent=o=>{this.handleOverEvent(o),this.handleOutEvent(o),this.handleEnterEvent(o),this.handleLeaveEvent(o),this.handleMoveEvent(o)},this.pressed=!1;let{enable:n=!1}=this.options;this.enableMoveEvent=n,this.enableLeaveEvent=n,this.enableEnterEvent=n,this.enableOutEvent=n,this.enableOverEvent=n,n&&h0.forEach(o=>this.listen(o,!0))}destroy(){h0.forEach(e=>this.listen(e,!1))}enableEventType(e,t){switch(e){case"pointermove":this.enableMoveEvent!==t&&(this.enableMoveEvent=t,this.listen("mousedown",t),this.listen("mousemove",t),this.listen("mouseup",t));break;case"pointerover":this.enableOverEvent!==t&&(this.enableOverEvent=t,this.listen("mouseover",t));break;case"pointerout":this.enableOutEvent!==t&&(this.enableOutEvent=t,this.listen("mouseout",t));break;case"pointerenter":this.enableEnterEvent!==t&&(this.enableEnterEvent=t,this.listen("mouseenter",t));break;case"pointerleave":this.enableLeaveEvent!==t&&(this.enableLeaveEvent=t,this.listen("mouseleave",t));break;default:}}handleOverEvent(e){this.enableOverEvent&&e.type==="mouseover"&&this._emit("pointerover",e)}handleOutEvent(e){this.enableOutEvent&&e.type==="mouseout"&&this._emit("pointerout",e)}handleEnterEvent(e){this.enableEnterEvent&&e.type==="mouseenter"&&this._emit("pointerenter",e)}handleLeaveEvent(e){this.enableLeaveEvent&&e.type==="mouseleave"&&this._emit("pointerleave",e)}handleMoveEvent(e){if(this.enableMoveEvent)switch(e.type){case"mousedown":e.button>=0&&(this.pressed=!0);break;case"mousemove":e.buttons===0&&(this.pressed=!1),this.pressed||this._emit("pointermove",e);break;case"mouseup":this.pressed=!1;break;default:}}_emit(e,t){this.callback({type:e,center:{x:t.clientX,y:t.clientY},srcEvent:t,pointerType:"mouse",target:t.target})}};var p0=["keydown","keyup"],Uc=class extends Ct{constructor(e,t,i){super(e,t,{enable:!0,tabIndex:0,...i}),this.handleEvent=o=>{let s=o.target||o.srcElement;s.tagName==="INPUT"&&s.type==="text"||s.tagName==="TEXTAREA"||(this.enableDownEvent&&o.type==="keydown"&&this.callback({type:"keydown",srcEvent:o,key:o.key,target:o.target}),this.enableUpEvent&&o.type==="keyup"&&this.callback({type:"keyup",srcEvent:o,key:o.key,target:o.target}))};let{enable:n=!1}=this.options;this.enableDownEvent=n,this.enableUpEvent=n,e.tabIndex=this.options.tabIndex,e.style.outline="none",n&&p0.forEach(o=>this.listen(o,!0))}destroy(){p0.forEach(e=>this.listen(e,!1))}enableEventType(e,t){e==="keydown"&&this.enableDownEvent!==t&&(this.enableDownEvent=t,this.listen(e,t)),e==="keyup"&&this.enableUpEvent!==t&&(this.enableUpEvent=t,this.listen(e,t))}};var Gc=class extends Ct{constructor(e,t,i){i.enable=i.enable??!1,super(e,t,i),this.handleEvent=n=>{this.options.enable&&this.callback({type:"contextmenu",center:{x:n.clientX,y:n.clientY},srcEvent:n,pointerType:"mouse",target:n.target})},i.enable&&this.listen("contextmenu",!0)}destroy(){this.listen("contextmenu",!1)}enableEventType(e,t){e==="contextmenu"&&this.options.enable!==t&&(this.options.enable=t,this.listen("contextmenu",t))}};var _R={pointerdown:1,pointermove:2,pointerup:4,mousedown:1,mousemove:2,mouseup:4},yR=0,xR=1,bR=2,vR=1,wR=2,PR=4;function g0(r){let e=_R[r.srcEvent.type];if(!e)return null;let{buttons:t,button:i}=r.srcEvent,n=!1,o=!1,s=!1;return e===2?(n=!!(t&vR),o=!!(t&PR),s=!!(t&wR)):(n=i===yR,o=i===xR,s=i===bR),{leftButton:n,middleButton:o,rightButton:s}}function m0(r,e){let t=r.center;if(!t)return null;let i=e.getBoundingClientRect(),n=i.width/e.offsetWidth||1,o=i.height/e.offsetHeight||1,s={x:(t.x-i.left-e.clientLeft)/n,y:(t.y-i.top-e.clientTop)/o};return{center:t,offsetCenter:s}}var ER={srcElement:"root",priority:0},Vc=class{constructor(e,t){this.handleEvent=i=>{if(this.isEmpty())return;let n=this._normalizeEvent(i),o=i.srcEvent.target;for(;o&&o!==n.rootElement;){if(this._emit(n,o),n.handled)return;o=o.parentNode}this._emit(n,"root")},this.eventManager=e,this.recognizerName=t,this.handlers=[],this.handlersByElement=new Map,this._active=!1}isEmpty(){return!this._active}add(e,t,i,n=!1,o=!1){let{handlers:s,handlersByElement:a}=this,c={...ER,...i},l=a.get(c.srcElement);l||(l=[],a.set(c.srcElement,l));let f={type:e,handler:t,srcElement:c.srcElement,priority:c.priority};n&&(f.once=!0),o&&(f.passive=!0),s.push(f),this._active=this._active||!f.passive;let u=l.length-1;for(;u>=0&&!(l[u].priority>=f.priority);)u--;l.splice(u+1,0,f)}remove(e,t){let{handlers:i,handlersByElement:n}=this;for(let o=i.length-1;o>=0;o--){let s=i[o];if(s.type===e&&s.handler===t){i.splice(o,1);let a=n.get(s.srcElement);a.splice(a.indexOf(s),1),a.length===0&&n.delete(s.srcElement)}}this._active=i.some(o=>!o.passive)}_emit(e,t){let i=this.handlersByElement.get(t);if(i){let n=!1,o=()=>{e.handled=!0},s=()=>{e.handled=!0,n=!0},a=[];for(let c=0;c<i.length;c++){let{type:l,handler:f,once:u}=i[c];if(f({...e,type:l,stopPropagation:o,stopImmediatePropagation:s}),u&&a.push(i[c]),n)break}for(let c=0;c<a.length;c++){let{type:l,handler:f}=a[c];this.remove(l,f)}}}_normalizeEvent(e){let t=this.eventManager.getElement();return{...e,...g0(e),...m0(e,t),preventDefault:()=>{e.srcEvent.preventDefault()},stopImmediatePropagation:null,stopPropagation:null,handled:!1,rootElement:t}}};function SR(r){if("recognizer"in r)return r;let e,t=Array.isArray(r)?[...r]:[r];if(typeof t[0]=="function"){let i=t.shift(),n=t.shift()||{};e=new i(n)}else e=t.shift();return{recognizer:e,recognizeWith:typeof t[0]=="string"?[t[0]]:t[0],requireFailure:typeof t[1]=="string"?[t[1]]:t[1]}}var ko=class{constructor(e=null,t={}){if(this._onBasicInput=i=>{this.manager.emit(i.srcEvent.type,i)},this._onOtherEvent=i=>{this.manager.emit(i.type,i)},this.options={recognizers:[],events:{},touchAction:"compute",tabIndex:0,cssProps:{},...t},this.events=new Map,this.element=e,this.wheelSession=new Fc(e),!!e){this.manager=new Do(e,this.options);for(let i of this.options.recognizers){let{recognizer:n,recognizeWith:o,requireFailure:s}=SR(i);this.manager.add(n),o&&n.recognizeWith(o),s&&n.requireFailure(s)}this.manager.on("hammer.input",this._onBasicInput),this.wheelInput=new Nc(e,this._onOtherEvent,{enable:!1,wheelSession:this.wheelSession}),this.moveInput=new zc(e,this._onOtherEvent,{enable:!1}),this.keyInput=new Uc(e,this._onOtherEvent,{enable:!1,tabIndex:t.tabIndex}),this.contextmenuInput=new Gc(e,this._onOtherEvent,{enable:!1}),this.on(this.options.events)}}getElement(){return this.element}destroy(){if(!this.element){this.wheelSession.destroy();return}this.wheelInput.destroy(),this.wheelSession.destroy(),this.moveInput.destroy(),this.keyInput.destroy(),this.contextmenuInput.destroy(),this.manager.destroy()}on(e,t,i){this._addEventHandler(e,t,i,!1)}once(e,t,i){this._addEventHandler(e,t,i,!0)}watch(e,t,i){this._addEventHandler(e,t,i,!1,!0)}off(e,t){this._removeEventHandler(e,t)}emit(e){this.manager?.emit(e.type,e)}_toggleRecognizer(e,t){let{manager:i}=this;if(!i)return;let n=i.get(e);n&&(n.set({enable:t,wheelSession:this.wheelSession}),i.touchAction.update()),this.wheelInput?.enableEventType(e,t),this.moveInput?.enableEventType(e,t),this.keyInput?.enableEventType(e,t),this.contextmenuInput?.enableEventType(e,t)}_addEventHandler(e,t,i,n,o){if(typeof e!="string"){i=t;for(let[l,f]of Object.entries(e))this._addEventHandler(l,f,i,n,o);return}let{manager:s,events:a}=this;if(!s)return;let c=a.get(e);if(!c){let l=this._getRecognizerName(e)||e;c=new Vc(this,l),a.set(e,c),s&&s.on(e,c.handleEvent)}c.add(e,t,i,n,o),c.isEmpty()||this._toggleRecognizer(c.recognizerName,!0)}_removeEventHandler(e,t){if(typeof e!="string"){for(let[o,s]of Object.entries(e))this._removeEventHandler(o,s);return}let{events:i}=this,n=i.get(e);if(n&&(n.remove(e,t),n.isEmpty())){let{recognizerName:o}=n,s=!1;for(let a of i.values())if(a.recognizerName===o&&!a.isEmpty()){s=!0;break}s||this._toggleRecognizer(o,!1)}}_getRecognizerName(e){return this.manager.recognizers.find(t=>t.getEventNames().includes(e))?.options.event}};var Wh={DEFAULT:"default",LNGLAT:"lnglat",METER_OFFSETS:"meter-offsets",LNGLAT_OFFSETS:"lnglat-offsets",CARTESIAN:"cartesian"};Object.defineProperty(Wh,"IDENTITY",{get:()=>(B.deprecated("COORDINATE_SYSTEM.IDENTITY","COORDINATE_SYSTEM.CARTESIAN")(),Wh.CARTESIAN)});var ue={WEB_MERCATOR:1,GLOBE:2,WEB_MERCATOR_AUTO_OFFSET:4,IDENTITY:0},ne={common:0,meters:1,pixels:2},Ki={click:"onClick",dblclick:"onClick",panstart:"onDragStart",panmove:"onDrag",panend:"onDragEnd"},jh={multipan:[gr,{threshold:10,pointers:2,trackpad:!0}],pinch:[Xi,{trackpad:!0},null,["multipan"]],pan:[gr,{threshold:1},["pinch"],["multipan"]],dblclick:[si,{event:"dblclick",taps:2,enable:!1}],dblclickdrag:[qi,{event:"dblclickdrag",enable:!1},["dblclick"],null],click:[si,{event:"click"},["dblclickdrag"],["dblclick","dblclickdrag"]]};function TR(r,e){if(r===e)return!0;if(Array.isArray(r)){let t=r.length;if(!e||e.length!==t)return!1;for(let i=0;i<t;i++)if(r[i]!==e[i])return!1;return!0}return!1}function At(r){let e={},t;return i=>{for(let n in i)if(!TR(i[n],e[n])){t=r(i),e=i;break}return t}}var _0=[0,0,0,0],LR=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0],y0=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],CR=[0,0,0],x0=[0,0,0],AR={default:-1,cartesian:0,lnglat:1,"meter-offsets":2,"lnglat-offsets":3};function ai(r){let e=AR[r];if(e===void 0)throw new Error(`Invalid coordinateSystem: ${r}`);return e}var MR=At(RR);function Hh(r,e,t=x0){t.length<3&&(t=[t[0],t[1],0]);let i=t,n,o=!0;switch(e==="lnglat-offsets"||e==="meter-offsets"?n=t:n=r.isGeospatial?[Math.fround(r.longitude),Math.fround(r.latitude),0]:null,r.projectionMode){case ue.WEB_MERCATOR:(e==="lnglat"||e==="cartesian")&&(n=[0,0,0],o=!1);break;case ue.WEB_MERCATOR_AUTO_OFFSET:e==="lnglat"?i=n:e==="cartesian"&&(i=[Math.fround(r.center[0]),Math.fround(r.center[1]),0],n=r.unprojectPosition(i),i[0]-=t[0],i[1]-=t[1],i[2]-=t[2]);break;case ue.IDENTITY:i=r.position.map(Math.fround),i[2]=i[2]||0;break;case ue.GLOBE:o=!1,n=null;break;default:o=!1}return{geospatialOrigin:n,shaderCoordinateOrigin:i,offsetMode:o}}function IR(r,e,t){let{viewMatrixUncentered:i,projectionMatrix:n}=r,{viewMatrix:o,viewProjectionMatrix:s}=r,a=_0,c=_0,l=r.cameraPosition,{geospatialOrigin:f,shaderCoordinateOrigin:u,offsetMode:d}=Hh(r,e,t);return d&&(c=r.projectPosition(f||u),l=[l[0]-c[0],l[1]-c[1],l[2]-c[2]],c[3]=1,a=st.transformMat4([],c,s),o=i||o,s=se.multiply([],n,o),s=se.multiply([],s,LR)),{viewMatrix:o,viewProjectionMatrix:s,projectionCenter:a,originCommon:c,cameraPosCommon:l,shaderCoordinateOrigin:u,geospatialOrigin:f}}function b0({viewport:r,devicePixelRatio:e=1,modelMatrix:t=null,coordinateSystem:i="default",coordinateOrigin:n=x0,autoWrapLongitude:o=!1}){i==="default"&&(i=r.isGeospatial?"lnglat":"cartesian");let s=MR({viewport:r,devicePixelRatio:e,coordinateSystem:i,coordinateOrigin:n});return s.wrapLongitude=o,s.modelMatrix=t||y0,s}function RR({viewport:r,devicePixelRatio:e,coordinateSystem:t,coordinateOrigin:i}){let{projectionCenter:n,viewProjectionMatrix:o,originCommon:s,cameraPosCommon:a,shaderCoordinateOrigin:c,geospatialOrigin:l}=IR(r,t,i),f=r.getDistanceScales(),u=[r.width*e,r.height*e],d=st.transformMat4([],[0,0,-r.focalDistance,1],r.projectionMatrix)[3]||1,h={coordinateSystem:ai(t),projectionMode:r.projectionMode,coordinateOrigin:c,commonOrigin:s.slice(0,3),center:n,pseudoMeters:!!r._pseudoMeters,viewportSize:u,devicePixelRatio:e,focalDistance:d,commonUnitsPerMeter:f.unitsPerMeter,commonUnitsPerWorldUnit:f.unitsPerMeter,commonUnitsPerWorldUnit2:CR,scale:r.scale,wrapLongitude:!1,viewProjectionMatrix:o,modelMatrix:y0,cameraPosition:a};if(l){let p=r.getDistanceScales(l);switch(t){case"meter-offsets":h.commonUnitsPerWorldUnit=p.unitsPerMeter,h.commonUnitsPerWorldUnit2=p.unitsPerMeter2;break;case"lnglat":case"lnglat-offsets":r._pseudoMeters||(h.commonUnitsPerMeter=p.unitsPerMeter),h.commonUnitsPerWorldUnit=p.unitsPerDegree,h.commonUnitsPerWorldUnit2=p.unitsPerDegree2;break;case"cartesian":h.commonUnitsPerWorldUnit=[1,1,p.unitsPerMeter[2]],h.commonUnitsPerWorldUnit2=[0,0,p.unitsPerMeter2[2]];break;default:break}}if(r.projectionMode===ue.GLOBE&&t==="meter-offsets"){let m=i[0]*Math.PI/180,y=i[1]*Math.PI/180,v=Math.cos(y),_=((i[2]||0)/6370972+1)*256;h.commonOrigin=[Math.sin(m)*v*_,-Math.cos(m)*v*_,Math.sin(y)*_]}return h}var OR=["default","lnglat","meter-offsets","lnglat-offsets","cartesian"],BR=OR.map(r=>`const COORDINATE_SYSTEM_${r.toUpperCase().replaceAll("-","_")}: i32 = ${ai(r)};`).join(""),DR=Object.keys(ue).map(r=>`const PROJECTION_MODE_${r}: i32 = ${ue[r]};`).join(""),kR=Object.keys(ne).map(r=>`const UNIT_${r.toUpperCase()}: i32 = ${ne[r]};`).join(""),NR=`${BR}
${DR}
${kR}

const TILE_SIZE: f32 = 512.0;
const PI: f32 = 3.1415926536;
const WORLD_SCALE: f32 = TILE_SIZE / (PI * 2.0);
const ZERO_64_LOW: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);
const EARTH_RADIUS: f32 = 6370972.0; // meters
const GLOBE_RADIUS: f32 = 256.0;

// -----------------------------------------------------------------------------
// Uniform block (converted from GLSL uniform block)
// -----------------------------------------------------------------------------
struct ProjectUniforms {
  wrapLongitude: i32,
  coordinateSystem: i32,
  commonUnitsPerMeter: vec3<f32>,
  projectionMode: i32,
  scale: f32,
  commonUnitsPerWorldUnit: vec3<f32>,
  commonUnitsPerWorldUnit2: vec3<f32>,
  center: vec4<f32>,
  modelMatrix: mat4x4<f32>,
  viewProjectionMatrix: mat4x4<f32>,
  viewportSize: vec2<f32>,
  devicePixelRatio: f32,
  focalDistance: f32,
  cameraPosition: vec3<f32>,
  coordinateOrigin: vec3<f32>,
  commonOrigin: vec3<f32>,
  pseudoMeters: i32,
};

@group(0) @binding(auto)
var<uniform> project: ProjectUniforms;

// -----------------------------------------------------------------------------
// Geometry data shared across the project helpers.
// The active layer shader is responsible for populating this private module
// state before calling the project functions below.
// -----------------------------------------------------------------------------

// Structure to carry additional geometry data used by deck.gl filters.
struct Geometry {
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  position: vec4<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry: Geometry;
`,v0=`${NR}

// -----------------------------------------------------------------------------
// Functions
// -----------------------------------------------------------------------------

// Returns an adjustment factor for commonUnitsPerMeter
fn _project_size_at_latitude(lat: f32) -> f32 {
  let y = clamp(lat, -89.9, 89.9);
  return 1.0 / cos(radians(y));
}

// Overloaded version: scales a value in meters at a given latitude.
fn _project_size_at_latitude_m(meters: f32, lat: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * _project_size_at_latitude(lat);
}

// Computes a non-linear scale factor based on geometry.
// (Note: This function relies on "geometry" being provided.)
fn project_size() -> f32 {
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
      project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
      project.pseudoMeters == 0) {
    if (geometry.position.w == 0.0) {
      return _project_size_at_latitude(geometry.worldPosition.y);
    }
    let y: f32 = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
    let y2 = y * y;
    let y4 = y2 * y2;
    let y6 = y4 * y2;
    return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
  }
  return 1.0;
}

// Overloads to scale offsets (meters to world units)
fn project_size_float(meters: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * project_size();
}

fn project_size_vec2(meters: vec2<f32>) -> vec2<f32> {
  return meters * project.commonUnitsPerMeter.xy * project_size();
}

fn project_size_vec3(meters: vec3<f32>) -> vec3<f32> {
  return meters * project.commonUnitsPerMeter * project_size();
}

fn project_size_vec4(meters: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(meters.xyz * project.commonUnitsPerMeter, meters.w);
}

// Returns a rotation matrix aligning the z\u2011axis with the given up vector.
fn project_get_orientation_matrix(up: vec3<f32>) -> mat3x3<f32> {
  let uz = normalize(up);
  let ux = select(
    vec3<f32>(1.0, 0.0, 0.0),
    normalize(vec3<f32>(uz.y, -uz.x, 0.0)),
    abs(uz.z) == 1.0
  );
  let uy = cross(uz, ux);
  return mat3x3<f32>(ux, uy, uz);
}

// Since WGSL does not support "out" parameters, we return a struct.
struct RotationResult {
  needsRotation: bool,
  transform: mat3x3<f32>,
};

fn project_needs_rotation(commonPosition: vec3<f32>) -> RotationResult {
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    return RotationResult(true, project_get_orientation_matrix(commonPosition));
  } else {
    return RotationResult(false, mat3x3<f32>());  // identity alternative if needed
  };
}

// Projects a normal vector from the current coordinate system to world space.
fn project_normal(vector: vec3<f32>) -> vec3<f32> {
  let normal_modelspace = project.modelMatrix * vec4<f32>(vector, 0.0);
  var n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
  let rotResult = project_needs_rotation(geometry.position.xyz);
  if (rotResult.needsRotation) {
    n = rotResult.transform * n;
  }
  return n;
}

// Applies a scale offset based on y-offset (dy)
fn project_offset_(offset: vec4<f32>) -> vec4<f32> {
  let dy: f32 = offset.y;
  let commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
  return vec4<f32>(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}

// Projects lng/lat coordinates to a unit tile [0,1]
fn project_mercator_(lnglat: vec2<f32>) -> vec2<f32> {
  var x = lnglat.x;
  if (project.wrapLongitude != 0) {
    x = ((x + 180.0) % 360.0) - 180.0;
  }
  let y = clamp(lnglat.y, -89.9, 89.9);
  return vec2<f32>(
    radians(x) + PI,
    PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// Projects lng/lat/z coordinates for a globe projection.
fn project_globe_(lnglatz: vec3<f32>) -> vec3<f32> {
  let lambda = radians(lnglatz.x);
  let phi = radians(lnglatz.y);
  let cosPhi = cos(phi);
  let D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
  return vec3<f32>(
    sin(lambda) * cosPhi,
    -cos(lambda) * cosPhi,
    sin(phi)
  ) * D;
}

// Projects positions (with an optional 64-bit low part) from the input
// coordinate system to the common space.
fn project_position_vec4_f64(position: vec4<f32>, position64Low: vec3<f32>) -> vec4<f32> {
  var position_world = project.modelMatrix * position;

  // Work around for a Mac+NVIDIA bug:
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_mercator_(position_world.xy),
        _project_size_at_latitude_m(position_world.z, position_world.y),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
      position_world = vec4f(position_world.xyz + project.coordinateOrigin, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_globe_(position_world.xyz),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
      let enuMatrix = project_get_orientation_matrix(project.commonOrigin);
      let metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
      let offsetCommon = (enuMatrix * vec3<f32>(-position_world.x, -position_world.y, position_world.z)) * metersToCommon;
      return vec4<f32>(project.commonOrigin + offsetCommon, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
        return vec4<f32>(
          project_mercator_(position_world.xy) - project.commonOrigin.xy,
          project_size_float(position_world.z),
          position_world.w
        );
      }
    }
  }
  if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
      (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
       (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
        project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
    position_world = vec4f(position_world.xyz - project.coordinateOrigin, position_world.w);
  }

  return project_offset_(position_world) +
         project_offset_(project.modelMatrix * vec4<f32>(position64Low, 0.0));
}

// Overloaded versions for different input types.
fn project_position_vec4_f32(position: vec4<f32>) -> vec4<f32> {
  return project_position_vec4_f64(position, ZERO_64_LOW);
}

fn project_position_vec3_f64(position: vec3<f32>, position64Low: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), position64Low);
  return projected_position.xyz;
}

fn project_position_vec3_f32(position: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), ZERO_64_LOW);
  return projected_position.xyz;
}

fn project_position_vec2_f32(position: vec2<f32>) -> vec2<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 0.0, 1.0), ZERO_64_LOW);
  return projected_position.xy;
}

// Transforms a common space position to clip space.
fn project_common_position_to_clipspace_with_projection(position: vec4<f32>, viewProjectionMatrix: mat4x4<f32>, center: vec4<f32>) -> vec4<f32> {
  var clipPosition = viewProjectionMatrix * position + center;
  // deck.gl projection matrices use WebGL's [-w, w] depth range; WebGPU clips z to [0, w].
  clipPosition.z = (clipPosition.z + clipPosition.w) * 0.5;
  return clipPosition;
}

// Uses the project viewProjectionMatrix and center.
fn project_common_position_to_clipspace(position: vec4<f32>) -> vec4<f32> {
  return project_common_position_to_clipspace_with_projection(position, project.viewProjectionMatrix, project.center);
}

// Returns a clip space offset corresponding to a given number of screen pixels.
fn project_pixel_size_to_clipspace(pixels: vec2<f32>) -> vec2<f32> {
  let offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
  return offset * project.focalDistance;
}

fn project_meter_size_to_pixel(meters: f32) -> f32 {
  return project_size_float(meters) * project.scale;
}

fn project_unit_size_to_pixel(size: f32, unit: i32) -> f32 {
  if (unit == UNIT_METERS) {
    return project_meter_size_to_pixel(size);
  } else if (unit == UNIT_COMMON) {
    return size * project.scale;
  }
  // UNIT_PIXELS: no scaling applied.
  return size;
}

fn project_pixel_size_float(pixels: f32) -> f32 {
  return pixels / project.scale;
}

fn project_pixel_size_vec2(pixels: vec2<f32>) -> vec2<f32> {
  return pixels / project.scale;
}
`;var FR=["default","lnglat","meter-offsets","lnglat-offsets","cartesian"],zR=FR.map(r=>`const int COORDINATE_SYSTEM_${r.toUpperCase().replaceAll("-","_")} = ${ai(r)};`).join(""),UR=Object.keys(ue).map(r=>`const int PROJECTION_MODE_${r} = ${ue[r]};`).join(""),GR=Object.keys(ne).map(r=>`const int UNIT_${r.toUpperCase()} = ${ne[r]};`).join(""),w0=`${zR}
${UR}
${GR}
layout(std140) uniform projectUniforms {
bool wrapLongitude;
int coordinateSystem;
vec3 commonUnitsPerMeter;
int projectionMode;
float scale;
vec3 commonUnitsPerWorldUnit;
vec3 commonUnitsPerWorldUnit2;
vec4 center;
mat4 modelMatrix;
mat4 viewProjectionMatrix;
vec2 viewportSize;
float devicePixelRatio;
float focalDistance;
vec3 cameraPosition;
vec3 coordinateOrigin;
vec3 commonOrigin;
bool pseudoMeters;
} project;
const float TILE_SIZE = 512.0;
const float PI = 3.1415926536;
const float WORLD_SCALE = TILE_SIZE / (PI * 2.0);
const vec3 ZERO_64_LOW = vec3(0.0);
const float EARTH_RADIUS = 6370972.0;
const float GLOBE_RADIUS = 256.0;
float project_size_at_latitude(float lat) {
float y = clamp(lat, -89.9, 89.9);
return 1.0 / cos(radians(y));
}
float project_size() {
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
project.pseudoMeters == false) {
if (geometry.position.w == 0.0) {
return project_size_at_latitude(geometry.worldPosition.y);
}
float y = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
float y2 = y * y;
float y4 = y2 * y2;
float y6 = y4 * y2;
return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
}
return 1.0;
}
float project_size_at_latitude(float meters, float lat) {
return meters * project.commonUnitsPerMeter.z * project_size_at_latitude(lat);
}
float project_size(float meters) {
return meters * project.commonUnitsPerMeter.z * project_size();
}
vec2 project_size(vec2 meters) {
return meters * project.commonUnitsPerMeter.xy * project_size();
}
vec3 project_size(vec3 meters) {
return meters * project.commonUnitsPerMeter * project_size();
}
vec4 project_size(vec4 meters) {
return vec4(meters.xyz * project.commonUnitsPerMeter, meters.w);
}
mat3 project_get_orientation_matrix(vec3 up) {
vec3 uz = normalize(up);
vec3 ux = abs(uz.z) == 1.0 ? vec3(1.0, 0.0, 0.0) : normalize(vec3(uz.y, -uz.x, 0));
vec3 uy = cross(uz, ux);
return mat3(ux, uy, uz);
}
bool project_needs_rotation(vec3 commonPosition, out mat3 transform) {
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
transform = project_get_orientation_matrix(commonPosition);
return true;
}
return false;
}
vec3 project_normal(vec3 vector) {
vec4 normal_modelspace = project.modelMatrix * vec4(vector, 0.0);
vec3 n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
mat3 rotation;
if (project_needs_rotation(geometry.position.xyz, rotation)) {
n = rotation * n;
}
return n;
}
vec4 project_offset_(vec4 offset) {
float dy = offset.y;
vec3 commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
return vec4(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}
vec2 project_mercator_(vec2 lnglat) {
float x = lnglat.x;
if (project.wrapLongitude) {
x = mod(x + 180., 360.0) - 180.;
}
float y = clamp(lnglat.y, -89.9, 89.9);
return vec2(
radians(x) + PI,
PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
) * WORLD_SCALE;
}
vec3 project_globe_(vec3 lnglatz) {
float lambda = radians(lnglatz.x);
float phi = radians(lnglatz.y);
float cosPhi = cos(phi);
float D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
return vec3(
sin(lambda) * cosPhi,
-cos(lambda) * cosPhi,
sin(phi)
) * D;
}
vec4 project_position(vec4 position, vec3 position64Low) {
vec4 position_world = project.modelMatrix * position;
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_mercator_(position_world.xy),
project_size_at_latitude(position_world.z, position_world.y),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
position_world.xyz += project.coordinateOrigin;
}
}
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_globe_(position_world.xyz),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
mat3 enuMatrix = project_get_orientation_matrix(project.commonOrigin);
float metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
vec3 offsetCommon = (enuMatrix * vec3(-position_world.xy, position_world.z)) * metersToCommon;
return vec4(project.commonOrigin + offsetCommon, position_world.w);
}
}
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
return vec4(
project_mercator_(position_world.xy) - project.commonOrigin.xy,
project_size(position_world.z),
position_world.w
);
}
}
}
if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
(project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
(project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
position_world.xyz -= project.coordinateOrigin;
}
return project_offset_(position_world) + project_offset_(project.modelMatrix * vec4(position64Low, 0.0));
}
vec4 project_position(vec4 position) {
return project_position(position, ZERO_64_LOW);
}
vec3 project_position(vec3 position, vec3 position64Low) {
vec4 projected_position = project_position(vec4(position, 1.0), position64Low);
return projected_position.xyz;
}
vec3 project_position(vec3 position) {
vec4 projected_position = project_position(vec4(position, 1.0), ZERO_64_LOW);
return projected_position.xyz;
}
vec2 project_position(vec2 position) {
vec4 projected_position = project_position(vec4(position, 0.0, 1.0), ZERO_64_LOW);
return projected_position.xy;
}
vec4 project_common_position_to_clipspace(vec4 position, mat4 viewProjectionMatrix, vec4 center) {
return viewProjectionMatrix * position + center;
}
vec4 project_common_position_to_clipspace(vec4 position) {
return project_common_position_to_clipspace(position, project.viewProjectionMatrix, project.center);
}
vec2 project_pixel_size_to_clipspace(vec2 pixels) {
vec2 offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
return offset * project.focalDistance;
}
float project_size_to_pixel(float meters) {
return project_size(meters) * project.scale;
}
vec2 project_size_to_pixel(vec2 meters) {
return project_size(meters) * project.scale;
}
float project_size_to_pixel(float size, int unit) {
if (unit == UNIT_METERS) return project_size_to_pixel(size);
if (unit == UNIT_COMMON) return size * project.scale;
return size;
}
float project_pixel_size(float pixels) {
return pixels / project.scale;
}
vec2 project_pixel_size(vec2 pixels) {
return pixels / project.scale;
}
`;var VR={};function $R(r=VR){return"viewport"in r?b0(r):{}}var qt={name:"project",dependencies:[ti,Rc],source:v0,vs:w0,getUniforms:$R,uniformTypes:{wrapLongitude:"f32",coordinateSystem:"i32",commonUnitsPerMeter:"vec3<f32>",projectionMode:"i32",scale:"f32",commonUnitsPerWorldUnit:"vec3<f32>",commonUnitsPerWorldUnit2:"vec3<f32>",center:"vec4<f32>",modelMatrix:"mat4x4<f32>",viewProjectionMatrix:"mat4x4<f32>",viewportSize:"vec2<f32>",devicePixelRatio:"f32",focalDistance:"f32",cameraPosition:"vec3<f32>",coordinateOrigin:"vec3<f32>",commonOrigin:"vec3<f32>",pseudoMeters:"f32"}};var WR=`// Define a structure to hold both the clip-space position and the common position.
struct ProjectResult {
  clipPosition: vec4<f32>,
  commonPosition: vec4<f32>,
};

// This function mimics the GLSL version with the 'out' parameter by returning both values.
fn project_position_to_clipspace_and_commonspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> ProjectResult {
  // Compute the projected position.
  let projectedPosition: vec3<f32> = project_position_vec3_f64(position, position64Low);

  // Start with the provided offset.
  var finalOffset: vec3<f32> = offset;

  // Get whether a rotation is needed and the rotation matrix.
  let rotationResult = project_needs_rotation(projectedPosition);

  // If rotation is needed, update the offset.
  if (rotationResult.needsRotation) {
    finalOffset = rotationResult.transform * offset;
  }

  // Compute the common position.
  let commonPosition: vec4<f32> = vec4<f32>(projectedPosition + finalOffset, 1.0);

  // Convert to clip-space.
  let clipPosition: vec4<f32> = project_common_position_to_clipspace(commonPosition);

  return ProjectResult(clipPosition, commonPosition);
}

// A convenience overload that returns only the clip-space position.
fn project_position_to_clipspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> vec4<f32> {
  return project_position_to_clipspace_and_commonspace(position, position64Low, offset).clipPosition;
}
`,jR=`vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset, out vec4 commonPosition
) {
  vec3 projectedPosition = project_position(position, position64Low);
  mat3 rotation;
  if (project_needs_rotation(projectedPosition, rotation)) {
    // offset is specified as ENU
    // when in globe projection, rotate offset so that the ground alighs with the surface of the globe
    offset = rotation * offset;
  }
  commonPosition = vec4(projectedPosition + offset, 1.0);
  return project_common_position_to_clipspace(commonPosition);
}

vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset
) {
  vec4 commonPosition;
  return project_position_to_clipspace(position, position64Low, offset, commonPosition);
}
`,de={name:"project32",dependencies:[qt],source:WR,vs:jR};_e();_e();function Yh(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function mr(r,e){let t=st.transformMat4([],e,r);return st.scale(t,t,1/t[3]),t}function No(r,e,t){return r<e?e:r>t?t:r}function HR(r){return Math.log(r)*Math.LOG2E}var Fo=Math.log2||HR;_e();function ct(r,e){if(!r)throw new Error(e||"@math.gl/web-mercator: assertion failed.")}var lt=Math.PI,P0=lt/4,et=lt/180,qh=180/lt,Qi=512,$c=4003e4,Ji=85.051129,E0=1.5;function Zh(r){return Fo(r)}function Ie(r){let[e,t]=r;ct(Number.isFinite(e)),ct(Number.isFinite(t)&&t>=-90&&t<=90,"invalid latitude");let i=e*et,n=t*et,o=Qi*(i+lt)/(2*lt),s=Qi*(lt+Math.log(Math.tan(P0+n*.5)))/(2*lt);return[o,s]}function $e(r){let[e,t]=r,i=e/Qi*(2*lt)-lt,n=2*(Math.atan(Math.exp(t/Qi*(2*lt)-lt))-P0);return[i*qh,n*qh]}function Xh(r){let{latitude:e}=r;ct(Number.isFinite(e));let t=Math.cos(e*et);return Zh($c*t)-9}function zo(r){let e=Math.cos(r*et);return Qi/$c/e}function en(r){let{latitude:e,longitude:t,highPrecision:i=!1}=r;ct(Number.isFinite(e)&&Number.isFinite(t));let n=Qi,o=Math.cos(e*et),s=n/360,a=s/o,c=n/$c/o,l={unitsPerMeter:[c,c,c],metersPerUnit:[1/c,1/c,1/c],unitsPerDegree:[s,a,c],degreesPerUnit:[1/s,1/a,1/c]};if(i){let f=et*Math.tan(e*et)/o,u=s*f/2,d=n/$c*f,h=d/a*c;l.unitsPerDegree2=[0,u,d],l.unitsPerMeter2=[h,0,h]}return l}function Uo(r,e){let[t,i,n]=r,[o,s,a]=e,{unitsPerMeter:c,unitsPerMeter2:l}=en({longitude:t,latitude:i,highPrecision:!0}),f=Ie(r);f[0]+=o*(c[0]+l[0]*s),f[1]+=s*(c[1]+l[1]*s);let u=$e(f),d=(n||0)+(a||0);return Number.isFinite(n)||Number.isFinite(a)?[u[0],u[1],d]:u}function Wc(r){let{height:e,pitch:t,bearing:i,altitude:n,scale:o,center:s}=r,a=Yh();se.translate(a,a,[0,0,-n]),se.rotateX(a,a,-t*et),se.rotateZ(a,a,i*et);let c=o/e;return se.scale(a,a,[c,c,c]),s&&se.translate(a,a,ei.negate([],s)),a}function Kh(r){let{width:e,height:t,altitude:i,pitch:n=0,offset:o,center:s,scale:a,nearZMultiplier:c=1,farZMultiplier:l=1}=r,{fovy:f=ci(E0)}=r;i!==void 0&&(f=ci(i));let u=f*et,d=n*et,h=Go(f),p=h;s&&(p+=s[2]*a/Math.cos(d)/t);let g=u*(.5+(o?o[1]:0)/t),m=Math.sin(g)*p/Math.sin(No(Math.PI/2-d-g,.01,Math.PI-.01)),y=Math.sin(d)*m+p,v=p*10,_=Math.min(y*l,v);return{fov:u,aspect:e/t,focalDistance:h,near:c,far:_}}function ci(r){return 2*Math.atan(.5/r)*qh}function Go(r){return .5/Math.tan(.5*r*et)}function _r(r,e){let[t,i,n=0]=r;return ct(Number.isFinite(t)&&Number.isFinite(i)&&Number.isFinite(n)),mr(e,[t,i,n,1])}function yr(r,e,t=0){let[i,n,o]=r;if(ct(Number.isFinite(i)&&Number.isFinite(n),"invalid pixel coordinate"),Number.isFinite(o))return mr(e,[i,n,o,1]);let s=mr(e,[i,n,0,1]),a=mr(e,[i,n,1,1]),c=s[2],l=a[2],f=c===l?0:((t||0)-c)/(l-c);return ot.lerp([],s,a,f)}function jc(r){let{width:e,height:t,bounds:i,minExtent:n=0,maxZoom:o=24,offset:s=[0,0]}=r,[[a,c],[l,f]]=i,u=YR(r.padding),d=Ie([a,No(f,-Ji,Ji)]),h=Ie([l,No(c,-Ji,Ji)]),p=[Math.max(Math.abs(h[0]-d[0]),n),Math.max(Math.abs(h[1]-d[1]),n)],g=[e-u.left-u.right-Math.abs(s[0])*2,t-u.top-u.bottom-Math.abs(s[1])*2];ct(g[0]>0&&g[1]>0);let m=g[0]/p[0],y=g[1]/p[1],v=(u.right-u.left)/2/m,_=(u.top-u.bottom)/2/y,b=[(h[0]+d[0])/2+v,(h[1]+d[1])/2+_],w=$e(b),P=Math.min(o,Fo(Math.abs(Math.min(m,y))));return ct(Number.isFinite(P)),{longitude:w[0],latitude:w[1],zoom:P}}function YR(r=0){return typeof r=="number"?{top:r,bottom:r,left:r,right:r}:(ct(Number.isFinite(r.top)&&Number.isFinite(r.bottom)&&Number.isFinite(r.left)&&Number.isFinite(r.right)),r)}_e();var S0=Math.PI/180;function Hc(r,e=0){let{width:t,height:i,unproject:n}=r,o={targetZ:e},s=n([0,i],o),a=n([t,i],o),c,l,f=r.fovy?.5*r.fovy*S0:Math.atan(.5/r.altitude),u=(90-r.pitch)*S0;return f>u-.01?(c=T0(r,0,e),l=T0(r,t,e)):(c=n([0,0],o),l=n([t,0],o)),[s,a,l,c]}function T0(r,e,t){let{pixelUnprojectionMatrix:i}=r,n=mr(i,[e,0,1,1]),o=mr(i,[e,r.height,1,1]),a=(t*r.distanceScales.unitsPerMeter[2]-n[2])/(o[2]-n[2]),c=ot.lerp([],n,o,a),l=$e(c);return l.push(t),l}var C0=`
layout(std140) uniform shadowUniforms {
  bool drawShadowMap;
  bool useShadowMap;
  vec4 color;
  highp int lightId;
  float lightCount;
  mat4 viewProjectionMatrix0;
  mat4 viewProjectionMatrix1;
  vec4 projectCenter0;
  vec4 projectCenter1;
} shadow;
`,XR=`
const int max_lights = 2;

out vec3 shadow_vPosition[max_lights];

vec4 shadow_setVertexPosition(vec4 position_commonspace) {
  mat4 viewProjectionMatrices[max_lights];
  viewProjectionMatrices[0] = shadow.viewProjectionMatrix0;
  viewProjectionMatrices[1] = shadow.viewProjectionMatrix1;
  vec4 projectCenters[max_lights];
  projectCenters[0] = shadow.projectCenter0;
  projectCenters[1] = shadow.projectCenter1;

  if (shadow.drawShadowMap) {
    return project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[shadow.lightId], projectCenters[shadow.lightId]);
  }
  if (shadow.useShadowMap) {
    for (int i = 0; i < max_lights; i++) {
      if(i < int(shadow.lightCount)) {
        vec4 shadowMap_position = project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[i], projectCenters[i]);
        shadow_vPosition[i] = (shadowMap_position.xyz / shadowMap_position.w + 1.0) / 2.0;
      }
    }
  }
  return gl_Position;
}
`,KR=`
${C0}
${XR}
`,QR=`
const int max_lights = 2;
uniform sampler2D shadow_uShadowMap0;
uniform sampler2D shadow_uShadowMap1;

in vec3 shadow_vPosition[max_lights];

const vec4 bitPackShift = vec4(1.0, 255.0, 65025.0, 16581375.0);
const vec4 bitUnpackShift = 1.0 / bitPackShift;
const vec4 bitMask = vec4(1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0,  0.0);

float shadow_getShadowWeight(vec3 position, sampler2D shadowMap) {
  vec4 rgbaDepth = texture(shadowMap, position.xy);

  float z = dot(rgbaDepth, bitUnpackShift);
  return smoothstep(0.001, 0.01, position.z - z);
}

vec4 shadow_filterShadowColor(vec4 color) {
  if (shadow.drawShadowMap) {
    vec4 rgbaDepth = fract(gl_FragCoord.z * bitPackShift);
    rgbaDepth -= rgbaDepth.gbaa * bitMask;
    return rgbaDepth;
  }
  if (shadow.useShadowMap) {
    float shadowAlpha = 0.0;
    shadowAlpha += shadow_getShadowWeight(shadow_vPosition[0], shadow_uShadowMap0);
    if(shadow.lightCount > 1.0) {
      shadowAlpha += shadow_getShadowWeight(shadow_vPosition[1], shadow_uShadowMap1);
    }
    shadowAlpha *= shadow.color.a / shadow.lightCount;
    float blendedAlpha = shadowAlpha + color.a * (1.0 - shadowAlpha);

    return vec4(
      mix(color.rgb, shadow.color.rgb, shadowAlpha / blendedAlpha),
      blendedAlpha
    );
  }
  return color;
}
`,JR=`
${C0}
${QR}
`,eO=At(oO),tO=At(sO),rO=[0,0,0,1],iO=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0];function nO(r,e){let[t,i,n]=r,o=yr([t,i,n],e);return Number.isFinite(n)?o:[o[0],o[1],0]}function oO({viewport:r,center:e}){return new me(r.viewProjectionMatrix).invert().transform(e)}function sO({viewport:r,shadowMatrices:e}){let t=[],i=r.pixelUnprojectionMatrix,n=r.isGeospatial?void 0:1,o=[[0,0,n],[r.width,0,n],[0,r.height,n],[r.width,r.height,n],[0,0,-1],[r.width,0,-1],[0,r.height,-1],[r.width,r.height,-1]].map(s=>nO(s,i));for(let s of e){let a=s.clone().translate(new be(r.center).negate()),c=o.map(f=>a.transform(f)),l=new me().ortho({left:Math.min(...c.map(f=>f[0])),right:Math.max(...c.map(f=>f[0])),bottom:Math.min(...c.map(f=>f[1])),top:Math.max(...c.map(f=>f[1])),near:Math.min(...c.map(f=>-f[2])),far:Math.max(...c.map(f=>-f[2]))});t.push(l.multiplyRight(s))}return t}function aO(r){let{shadowEnabled:e=!0,project:t}=r;if(!e||!t||!r.shadowMatrices||!r.shadowMatrices.length)return{drawShadowMap:!1,useShadowMap:!1,shadow_uShadowMap0:r.dummyShadowMap,shadow_uShadowMap1:r.dummyShadowMap};let i=qt.getUniforms(t),n=eO({viewport:t.viewport,center:i.center}),o=[],s=tO({shadowMatrices:r.shadowMatrices,viewport:t.viewport}).slice();for(let c=0;c<r.shadowMatrices.length;c++){let l=s[c],f=l.clone().translate(new be(t.viewport.center).negate());i.coordinateSystem===ai("lnglat")&&i.projectionMode===ue.WEB_MERCATOR?(s[c]=f,o[c]=n):(s[c]=l.clone().multiplyRight(iO),o[c]=f.transform(n))}let a={drawShadowMap:!!r.drawToShadowMap,useShadowMap:r.shadowMaps?r.shadowMaps.length>0:!1,color:r.shadowColor||rO,lightId:r.shadowLightId||0,lightCount:r.shadowMatrices.length,shadow_uShadowMap0:r.dummyShadowMap,shadow_uShadowMap1:r.dummyShadowMap};for(let c=0;c<s.length;c++)a[`viewProjectionMatrix${c}`]=s[c],a[`projectCenter${c}`]=o[c];for(let c=0;c<2;c++)a[`shadow_uShadowMap${c}`]=r.shadowMaps&&r.shadowMaps[c]||r.dummyShadowMap;return a}var Yc={name:"shadow",dependencies:[qt],vs:KR,fs:JR,inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    position = shadow_setVertexPosition(geometry.position);
    `,"fs:DECKGL_FILTER_COLOR":`
    color = shadow_filterShadowColor(color);
    `},getUniforms:aO,uniformTypes:{drawShadowMap:"f32",useShadowMap:"f32",color:"vec4<f32>",lightId:"i32",lightCount:"f32",viewProjectionMatrix0:"mat4x4<f32>",viewProjectionMatrix1:"mat4x4<f32>",projectCenter0:"vec4<f32>",projectCenter1:"vec4<f32>"}};Be();var qc=10,Vo=16777215;function M0(r,e){r.length===qc?B.warn(`pickMultipleObjects can only exclude ${qc} previously picked objects for layers without picking buffers`)():r.push(e)}var cO=`  float disabledPickingIndexCount;
  vec4 disabledPickingIndices0;
  vec4 disabledPickingIndices1;
  vec4 disabledPickingIndices2;
`;function A0(r){return r.replace(`  vec4 highlightColor;
} picking;`,`  vec4 highlightColor;
${cO}} picking;`)}function Qh(r,e){return[r[e]||0,r[e+1]||0,r[e+2]||0,r[e+3]||0]}var lO=`vec3 picking_getPickingColorFromIndex(float objectIndex) {
  if (objectIndex < 0.0 || objectIndex >= ${Vo}.0) {
    return vec3(0.0);
  }

  for (int i = 0; i < ${qc}; i++) {
    if (float(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    vec4 disabledIndices = i < 4
      ? picking.disabledPickingIndices0
      : (i < 8 ? picking.disabledPickingIndices1 : picking.disabledPickingIndices2);
    float disabledIndex = disabledIndices[i - (i / 4) * 4];
    if (disabledIndex == objectIndex) {
      return vec3(0.0);
    }
  }

  float encodedIndex = objectIndex + 1.0;
  return vec3(
    mod(encodedIndex, 256.0),
    mod(floor(encodedIndex / 256.0), 256.0),
    mod(floor(encodedIndex / 65536.0), 256.0)
  );
}

vec3 picking_getPickingColorFromIndex(uint objectIndex) {
  return picking_getPickingColorFromIndex(float(objectIndex));
}

vec3 picking_getPickingColorFromInstanceID() {
  return picking_getPickingColorFromIndex(float(gl_InstanceID));
}

void picking_setPickingColorFromInstanceID() {
  picking_setPickingColor(picking_getPickingColorFromInstanceID());
}
`,fO=`struct pickingUniforms {
  isActive: f32,
  isAttribute: f32,
  isHighlightActive: f32,
  useByteColors: f32,
  highlightedObjectColor: vec3<f32>,
  highlightColor: vec4<f32>,
  disabledPickingIndexCount: f32,
  disabledPickingIndices0: vec4<f32>,
  disabledPickingIndices1: vec4<f32>,
  disabledPickingIndices2: vec4<f32>,
};

@group(0) @binding(auto) var<uniform> picking: pickingUniforms;

fn picking_normalizeColor(color: vec3<f32>) -> vec3<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_normalizeColor4(color: vec4<f32>) -> vec4<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_isColorZero(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) < 0.00001;
}

fn picking_isColorValid(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) > 0.00001;
}

fn picking_getPickingColorFromIndex(objectIndex: u32) -> vec3<f32> {
  if (objectIndex >= ${Vo}u) {
    return vec3<f32>(0.0);
  }

  for (var i = 0; i < ${qc}; i = i + 1) {
    if (f32(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    let disabledIndices = select(
      picking.disabledPickingIndices2,
      select(picking.disabledPickingIndices1, picking.disabledPickingIndices0, i < 4),
      i < 8
    );
    let disabledIndex = disabledIndices[i % 4];
    if (disabledIndex == f32(objectIndex)) {
      return vec3<f32>(0.0);
    }
  }

  let encodedIndex = objectIndex + 1u;
  return vec3<f32>(
    f32(encodedIndex % 256u),
    f32((encodedIndex / 256u) % 256u),
    f32((encodedIndex / 65536u) % 256u)
  ) / 255.0;
}
`,he={...pr,vs:`${A0(pr.vs)}
${lO}`,fs:A0(pr.fs),source:fO,uniformTypes:{...pr.uniformTypes,disabledPickingIndexCount:"f32",disabledPickingIndices0:"vec4<f32>",disabledPickingIndices1:"vec4<f32>",disabledPickingIndices2:"vec4<f32>"},defaultUniforms:{...pr.defaultUniforms,useByteColors:!0,disabledPickingIndexCount:0,disabledPickingIndices0:[0,0,0,0],disabledPickingIndices1:[0,0,0,0],disabledPickingIndices2:[0,0,0,0]},getUniforms(r,e){let t=pr.getUniforms(r,e),i=r.disabledPickingIndices||[];return t.disabledPickingIndexCount=i.length,t.disabledPickingIndices0=Qh(i,0),t.disabledPickingIndices1=Qh(i,4),t.disabledPickingIndices2=Qh(i,8),t},inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    // for picking depth values
    picking_setPickingAttribute(position.z / position.w);
  `,"vs:DECKGL_FILTER_COLOR":`
  picking_setPickingColor(geometry.pickingColor);
  `,"fs:DECKGL_FILTER_COLOR":{order:99,injection:`
  // use highlight color if this fragment belongs to the selected object.
  color = picking_filterHighlightColor(color);

  // use picking color if rendering to picking FBO.
  color = picking_filterPickingColor(color);
    `}}};var dO=[Rc],hO=["vs:DECKGL_FILTER_SIZE(inout vec3 size, VertexGeometry geometry)","vs:DECKGL_FILTER_GL_POSITION(inout vec4 position, VertexGeometry geometry)","vs:DECKGL_FILTER_COLOR(inout vec4 color, VertexGeometry geometry)","fs:DECKGL_FILTER_COLOR(inout vec4 color, FragmentGeometry geometry)"],pO=[];function I0(r){let e=Qe.getDefaultShaderAssembler(r);for(let i of dO)e.addDefaultModule(i);e._hookFunctions.length=0;let t=r==="glsl"?hO:pO;for(let i of t)e.addShaderHook(i);return e}var gO=[255,255,255],mO=1,_O=0,Zc=class{constructor(e={}){this.type="ambient";let{color:t=gO}=e,{intensity:i=mO}=e;this.id=e.id||`ambient-${_O++}`,this.color=t,this.intensity=i}};_e();var yO=[255,255,255],xO=1,bO=[0,0,-1],vO=0,$o=class{constructor(e={}){this.type="directional";let{color:t=yO}=e,{intensity:i=xO}=e,{direction:n=bO}=e,{_shadow:o=!1}=e;this.id=e.id||`directional-${vO++}`,this.color=t,this.intensity=i,this.type="directional",this.direction=new be(n).normalize().toArray(),this.shadow=o}getProjectedLight(e){return this}};_e();var Wo=class{constructor(e,t={id:"pass"}){let{id:i}=t;this.id=i,this.device=e,this.props={...t}}setProps(e){Object.assign(this.props,e)}render(e){}cleanup(){}};var wO={depthWriteEnabled:!0,depthCompare:"less-equal",blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one-minus-src-alpha",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one-minus-src-alpha"},Zt=class extends Wo{constructor(){super(...arguments),this._lastRenderIndex=-1}render(e){this._render(e)}_render(e){let{canvasContext:t=this.device.canvasContext}=e,i=e.target??t.getCurrentFramebuffer(),[n,o]=t.getDrawingBufferSize(),s=e.clearCanvas??!0,a=e.clearColor??(s?[0,0,0,0]:!1),c=s?1:!1,l=s?0:!1,f=e.colorMask??15,u={viewport:[0,0,n,o]};e.colorMask&&(u.colorMask=f),e.scissorRect&&(u.scissorRect=e.scissorRect);let{shaderModuleProps:d,viewports:h,views:p,onViewportActive:g,clearStack:m=!0}=e,y=e.pass||"unknown",v=this.device.type==="webgpu";m&&(this._lastRenderIndex=-1);let _=[];if(!h.length)return this.device.beginRenderPass({framebuffer:i,parameters:u,clearColor:a,clearDepth:c,clearStencil:l}).end(),this.device.submit(),_;try{for(let b of h){g?.(b);let w=this._getDrawLayerParams(b,e),P=p&&p[b.id],L=b.subViewports||[b],T=v?L.map(C=>[C]):[L];for(let C of T){let S=this.device.beginRenderPass({framebuffer:i,parameters:u,clearColor:a,clearDepth:c,clearStencil:l});try{for(let R of C){let I=this._drawLayersInViewport(S,{target:i,canvasContext:t,shaderModuleProps:d,viewport:R,view:P,pass:y,layers:e.layers,isPicking:e.isPicking},w);_.push(I)}}finally{S.end(),v&&this.device.submit()}a=!1,c=!1,l=!1}}return _}finally{v||this.device.submit()}}_getDrawLayerParams(e,{layers:t,pass:i,isPicking:n=!1,layerFilter:o,cullRect:s,views:a,effects:c,canvasContext:l=this.device.canvasContext,shaderModuleProps:f},u=!1){let d=[],h=O0(this._lastRenderIndex+1),p={layer:t[0],viewport:e,isPicking:n,renderPass:i,cullRect:s},g={};for(let m=0;m<t.length;m++){let y=t[m],v=this._shouldDrawLayer(y,p,o,g),_={shouldDrawLayer:v};if(v&&!u){_.shouldDrawLayer=!0,_.layerRenderIndex=h(y,v),_.shaderModuleProps=this._getShaderModuleProps(y,c,i,l,f);let b=y.context.device.type==="webgpu"?wO:null;_.layerParameters={...b,...y.context.deck?.props.parameters,...a?.[e.id]?.props.parameters,...this.getLayerParameters(y,m,e)}}d[m]=_}return d}_drawLayersInViewport(e,{layers:t,shaderModuleProps:i,pass:n,target:o,canvasContext:s,viewport:a,view:c,isPicking:l},f){let u=PO(this.device,{canvasContext:s,shaderModuleProps:i,target:o,viewport:a});if(c){let{clear:h,clearColor:p,clearDepth:g,clearStencil:m}=c.props;if(h){let y=[0,0,0,0],v=1,_=0;Array.isArray(p)&&!l?y=[...p.slice(0,3),p[3]||255].map(w=>w/255):p===!1&&(y=!1),g!==void 0&&(v=g),m!==void 0&&(_=m),this.device.beginRenderPass({framebuffer:o,parameters:{viewport:u,scissorRect:u},clearColor:y,clearDepth:v,clearStencil:_}).end()}}let d={totalCount:t.length,visibleCount:0,compositeCount:0,pickableCount:0};e.setParameters({viewport:u});for(let h=0;h<t.length;h++){let p=t[h],g=f[h],{shouldDrawLayer:m}=g;if(m&&p.props.pickable&&d.pickableCount++,p.isComposite&&d.compositeCount++,p.isDrawable&&g.shouldDrawLayer){let{layerRenderIndex:y,shaderModuleProps:v,layerParameters:_}=g;d.visibleCount++,this._lastRenderIndex=Math.max(this._lastRenderIndex,y),v.project&&(v.project.viewport=a),p.context.renderPass=e;try{p._drawLayer({renderPass:e,shaderModuleProps:v,uniforms:{layerIndex:y},parameters:_})}catch(b){p.raiseError(b,`drawing ${p} to ${n}`)}}}return d}shouldDrawLayer(e){return!0}getShaderModuleProps(e,t,i){return null}getLayerParameters(e,t,i){return e.props.parameters}_shouldDrawLayer(e,t,i,n){if(!(e.props.visible&&this.shouldDrawLayer(e)))return!1;t.layer=e;let s=e.parent;for(;s;){if(!s.props.visible||!s.filterSubLayer(t))return!1;t.layer=s,s=s.parent}if(i){let a=t.layer.id;if(a in n||(n[a]=i(t)),!n[a])return!1}return e.activateViewport(t.viewport),!0}_getShaderModuleProps(e,t,i,n,o){let s=n.cssToDeviceRatio(),a=e.internalState?.propsInTransition||e.props,c={layer:a,picking:{isActive:!1},project:{viewport:e.context.viewport,devicePixelRatio:s,modelMatrix:a.modelMatrix,coordinateSystem:a.coordinateSystem,coordinateOrigin:a.coordinateOrigin,autoWrapLongitude:e.wrapLongitude}};if(t)for(let l of t)R0(c,l.getShaderModuleProps?.(e,c));for(let l of e.context.defaultShaderModules)l.name in c||(c[l.name]={});return R0(c,this.getShaderModuleProps(e,t,c),o)}};function O0(r=0,e={}){let t={},i=(n,o)=>{let s=n.props._offset,a=n.id,c=n.parent&&n.parent.id,l;if(c&&!(c in e)&&i(n.parent,!1),c in t){let f=t[c]=t[c]||O0(e[c],e);l=f(n,o),t[a]=f}else Number.isFinite(s)?(l=s+(e[c]||0),t[a]=null):l=r;return o&&l>=r&&(r=l+1),e[a]=l,l};return i}function PO(r,{canvasContext:e=r.canvasContext,shaderModuleProps:t,target:i,viewport:n}){let o=t?.project?.devicePixelRatio??e.cssToDeviceRatio(),[,s]=e.getDrawingBufferSize(),a=i?i.height:s,c=n;return[c.x*o,a-(c.y+c.height)*o,c.width*o,c.height*o]}function R0(r,...e){for(let t of e)if(t)for(let i in t)r[i]?Object.assign(r[i],t[i]):r[i]=t[i];return r}var jo=class extends Zt{constructor(e,t){super(e,t);let i=e.createTexture({format:"rgba8unorm",width:1,height:1,sampler:{minFilter:"linear",magFilter:"linear",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge"}}),n=e.createTexture({format:"depth16unorm",width:1,height:1});this.fbo=e.createFramebuffer({id:"shadowmap",width:1,height:1,colorAttachments:[i],depthStencilAttachment:n})}delete(){this.fbo&&(this.fbo.destroy(),this.fbo=null)}getShadowMap(){return this.fbo.colorAttachments[0].texture}render(e){let t=this.fbo,i=this.device.canvasContext.cssToDeviceRatio(),n=e.viewports[0],o=n.width*i,s=n.height*i,a=[1,1,1,1];(o!==t.width||s!==t.height)&&t.resize({width:o,height:s}),super.render({...e,clearColor:a,target:t,pass:"shadow"})}getLayerParameters(e,t,i){return{...e.props.parameters,blend:!1,depthWriteEnabled:!0,depthCompare:"less-equal"}}shouldDrawLayer(e){return e.props.shadowEnabled!==!1}getShaderModuleProps(e,t,i){return{shadow:{project:i.project,drawToShadowMap:!0}}}};var EO={color:[255,255,255],intensity:1},B0=[{color:[255,255,255],intensity:1,direction:[-1,3,-1]},{color:[255,255,255],intensity:.9,direction:[1,-8,-2.5]}],SO=[0,0,0,200/255],tn=class{constructor(e={}){this.id="lighting-effect",this.shadowColor=SO,this.shadow=!1,this.directionalLights=[],this.pointLights=[],this.shadowPasses=[],this.dummyShadowMap=null,this.setProps(e)}setup(e){this.context=e;let{device:t,deck:i}=e;this.shadow&&!this.dummyShadowMap&&(this._createShadowPasses(t),i._addDefaultShaderModule(Yc),this.dummyShadowMap=t.createTexture({width:1,height:1}))}setProps(e){this.ambientLight=void 0,this.directionalLights=[],this.pointLights=[];for(let t in e){let i=e[t];switch(i.type){case"ambient":this.ambientLight=i;break;case"directional":this.directionalLights.push(i);break;case"point":this.pointLights.push(i);break;default:}}this._applyDefaultLights(),this.shadow=this.directionalLights.some(t=>t.shadow),this.context&&this.setup(this.context),this.props=e}preRender({layers:e,layerFilter:t,viewports:i,onViewportActive:n,views:o}){if(this.shadow){this.shadowMatrices=this._calculateMatrices();for(let s=0;s<this.shadowPasses.length;s++)this.shadowPasses[s].render({layers:e,layerFilter:t,viewports:i,onViewportActive:n,views:o,shaderModuleProps:{shadow:{shadowLightId:s,dummyShadowMap:this.dummyShadowMap,shadowMatrices:this.shadowMatrices}}})}}getShaderModuleProps(e,t){let i=this.shadow?{project:t.project,shadowMaps:this.shadowPasses.map(s=>s.getShadowMap()),dummyShadowMap:this.dummyShadowMap,shadowColor:this.shadowColor,shadowMatrices:this.shadowMatrices}:{},n={enabled:!0,lights:this._getLights(e)},o=e.props.material;return{shadow:i,lighting:n,phongMaterial:o,gouraudMaterial:o}}cleanup(e){for(let t of this.shadowPasses)t.delete();this.shadowPasses.length=0,this.dummyShadowMap&&(this.dummyShadowMap.destroy(),this.dummyShadowMap=null,e.deck._removeDefaultShaderModule(Yc))}_calculateMatrices(){let e=[];for(let t of this.directionalLights){let i=new me().lookAt({eye:new be(t.direction).negate()});e.push(i)}return e}_createShadowPasses(e){for(let t=0;t<this.directionalLights.length;t++){let i=new jo(e);this.shadowPasses[t]=i}}_applyDefaultLights(){let{ambientLight:e,pointLights:t,directionalLights:i}=this;!e&&t.length===0&&i.length===0&&(this.ambientLight=new Zc(EO),this.directionalLights.push(new $o(B0[0]),new $o(B0[1])))}_getLights(e){let t=[];this.ambientLight&&t.push(this.ambientLight);for(let i of this.pointLights)t.push(i.getProjectedLight({layer:e}));for(let i of this.directionalLights)t.push(i.getProjectedLight({layer:e}));return t}};var Jh=class{constructor(e={}){this._pool=[],this.opts={overAlloc:2,poolSize:100},this.setOptions(e)}setOptions(e){Object.assign(this.opts,e)}allocate(e,t,{size:i=1,type:n,padding:o=0,copy:s=!1,initialize:a=!1,maxCount:c}){let l=n||e&&e.constructor||Float32Array,f=t*i+o;if(ArrayBuffer.isView(e)){if(f<=e.length)return e;if(f*e.BYTES_PER_ELEMENT<=e.buffer.byteLength)return new l(e.buffer,0,f)}let u=1/0;c&&(u=c*i+o);let d=this._allocate(l,f,a,u);return e&&s?d.set(e):a||d.fill(0,0,4),this._release(e),d}release(e){this._release(e)}_allocate(e,t,i,n){let o=Math.max(Math.ceil(t*this.opts.overAlloc),1);o>n&&(o=n);let s=this._pool,a=e.BYTES_PER_ELEMENT*o,c=s.findIndex(l=>l.byteLength>=a);if(c>=0){let l=new e(s.splice(c,1)[0],0,o);return i&&l.fill(0),l}return new e(o)}_release(e){if(!ArrayBuffer.isView(e))return;let t=this._pool,{buffer:i}=e,{byteLength:n}=i,o=t.findIndex(s=>s.byteLength>=n);o<0?t.push(i):(o>0||t.length<this.opts.poolSize)&&t.splice(o,0,i),t.length>this.opts.poolSize&&t.shift()}},ft=new Jh;_e();function nn(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function ep(r,e){let t=r%e;return t<0?e+t:t}function k0(r){return[r[12],r[13],r[14]]}function N0(r){return{left:rn(r[3]+r[0],r[7]+r[4],r[11]+r[8],r[15]+r[12]),right:rn(r[3]-r[0],r[7]-r[4],r[11]-r[8],r[15]-r[12]),bottom:rn(r[3]+r[1],r[7]+r[5],r[11]+r[9],r[15]+r[13]),top:rn(r[3]-r[1],r[7]-r[5],r[11]-r[9],r[15]-r[13]),near:rn(r[3]+r[2],r[7]+r[6],r[11]+r[10],r[15]+r[14]),far:rn(r[3]-r[2],r[7]-r[6],r[11]-r[10],r[15]-r[14])}}var D0=new be;function rn(r,e,t,i){D0.set(r,e,t);let n=D0.len();return{distance:i/n,normal:new be(-r/n,-e/n,-t/n)}}function TO(r){return r-Math.fround(r)}var Ho;function on(r,e){let{size:t=1,startIndex:i=0}=e,n=e.endIndex!==void 0?e.endIndex:r.length,o=(n-i)/t;Ho=ft.allocate(Ho,o,{type:Float32Array,size:t*2});let s=i,a=0;for(;s<n;){for(let c=0;c<t;c++){let l=r[s++];Ho[a+c]=l,Ho[a+c+t]=TO(l)}a+=t*2}return Ho.subarray(0,o*t*2)}function F0(r){let e=null,t=!1;for(let i of r)i&&(e?(t||(e=[[e[0][0],e[0][1]],[e[1][0],e[1][1]]],t=!0),e[0][0]=Math.min(e[0][0],i[0][0]),e[0][1]=Math.min(e[0][1],i[0][1]),e[1][0]=Math.max(e[1][0],i[1][0]),e[1][1]=Math.max(e[1][1],i[1][1])):e=i);return e}_e();var LO=Math.PI/180,CO=nn(),z0=[0,0,0],AO={unitsPerMeter:[1,1,1],metersPerUnit:[1,1,1]};function MO({width:r,height:e,orthographic:t,fovyRadians:i,focalDistance:n,padding:o,near:s,far:a}){let c=r/e,l=t?new me().orthographic({fovy:i,aspect:c,focalDistance:n,near:s,far:a}):new me().perspective({fovy:i,aspect:c,near:s,far:a});if(o){let{left:f=0,right:u=0,top:d=0,bottom:h=0}=o,p=Me((f+r-u)/2,0,r)-r/2,g=Me((d+e-h)/2,0,e)-e/2;l[8]-=p*2/r,l[9]+=g*2/e}return l}var Xc=class r{constructor(e={}){this._frustumPlanes={},this.id=e.id||this.constructor.displayName||"viewport",this.x=e.x||0,this.y=e.y||0,this.width=e.width||1,this.height=e.height||1,this.zoom=e.zoom||0,this.padding=e.padding,this.distanceScales=e.distanceScales||AO,this.focalDistance=e.focalDistance||1,this.position=e.position||z0,this.modelMatrix=e.modelMatrix||null;let{longitude:t,latitude:i}=e;this.isGeospatial=Number.isFinite(i)&&Number.isFinite(t),this._initProps(e),this._initMatrices(e),this.equals=this.equals.bind(this),this.project=this.project.bind(this),this.unproject=this.unproject.bind(this),this.projectPosition=this.projectPosition.bind(this),this.unprojectPosition=this.unprojectPosition.bind(this),this.projectFlat=this.projectFlat.bind(this),this.unprojectFlat=this.unprojectFlat.bind(this)}get subViewports(){return null}get metersPerPixel(){return this.distanceScales.metersPerUnit[2]/this.scale}get projectionMode(){return this.isGeospatial?this.zoom<12?ue.WEB_MERCATOR:ue.WEB_MERCATOR_AUTO_OFFSET:ue.IDENTITY}equals(e){return e instanceof r?this===e?!0:e.width===this.width&&e.height===this.height&&e.scale===this.scale&&e.projectionMode===this.projectionMode&&e.resolution===this.resolution&&Tt(e.distanceScales.unitsPerMeter,this.distanceScales.unitsPerMeter)&&Tt(e.projectionMatrix,this.projectionMatrix)&&Tt(e.viewMatrix,this.viewMatrix):!1}project(e,{topLeft:t=!0}={}){let i=this.projectPosition(e),n=_r(i,this.pixelProjectionMatrix),[o,s]=n,a=t?s:this.height-s;return e.length===2?[o,a]:[o,a,n[2]]}unproject(e,{topLeft:t=!0,targetZ:i}={}){let[n,o,s]=e,a=t?o:this.height-o,c=i&&i*this.distanceScales.unitsPerMeter[2],l=yr([n,a,s],this.pixelUnprojectionMatrix,c),[f,u,d]=this.unprojectPosition(l);return Number.isFinite(s)?[f,u,d]:Number.isFinite(i)?[f,u,i]:[f,u]}projectPosition(e){let[t,i]=this.projectFlat(e),n=(e[2]||0)*this.distanceScales.unitsPerMeter[2];return[t,i,n]}unprojectPosition(e){let[t,i]=this.unprojectFlat(e),n=(e[2]||0)*this.distanceScales.metersPerUnit[2];return[t,i,n]}projectFlat(e){if(this.isGeospatial){let t=Ie(e);return t[1]=Me(t[1],-318,830),t}return e}unprojectFlat(e){return this.isGeospatial?$e(e):e}getBounds(e={}){let t={targetZ:e.z||0},i=this.unproject([0,0],t),n=this.unproject([this.width,0],t),o=this.unproject([0,this.height],t),s=this.unproject([this.width,this.height],t);return[Math.min(i[0],n[0],o[0],s[0]),Math.min(i[1],n[1],o[1],s[1]),Math.max(i[0],n[0],o[0],s[0]),Math.max(i[1],n[1],o[1],s[1])]}getDistanceScales(e){return e&&this.isGeospatial?en({longitude:e[0],latitude:e[1],highPrecision:!0}):this.distanceScales}containsPixel({x:e,y:t,width:i=1,height:n=1}){return e<this.x+this.width&&this.x<e+i&&t<this.y+this.height&&this.y<t+n}getFrustumPlanes(){return this._frustumPlanes.near?this._frustumPlanes:(Object.assign(this._frustumPlanes,N0(this.viewProjectionMatrix)),this._frustumPlanes)}panByPosition(e,t,i){return null}_initProps(e){let t=e.longitude,i=e.latitude;this.isGeospatial&&(Number.isFinite(e.zoom)||(this.zoom=Xh({latitude:i})+Math.log2(this.focalDistance)),this.distanceScales=e.distanceScales||en({latitude:i,longitude:t}));let n=Math.pow(2,this.zoom);this.scale=n;let{position:o,modelMatrix:s}=e,a=z0;if(o&&(a=s?new me(s).transformAsVector(o,[]):o),this.isGeospatial){let c=this.projectPosition([t,i,0]);this.center=new be(a).scale(this.distanceScales.unitsPerMeter).add(c)}else this.center=this.projectPosition(a)}_initMatrices(e){let{viewMatrix:t=CO,projectionMatrix:i=null,orthographic:n=!1,fovyRadians:o,fovy:s=75,near:a=.1,far:c=1e3,padding:l=null,focalDistance:f=1}=e;this.viewMatrixUncentered=t,this.viewMatrix=new me().multiplyRight(t).translate(new be(this.center).negate()),this.projectionMatrix=i||MO({width:this.width,height:this.height,orthographic:n,fovyRadians:o||s*LO,focalDistance:f,padding:l,near:a,far:c});let u=nn();se.multiply(u,u,this.projectionMatrix),se.multiply(u,u,this.viewMatrix),this.viewProjectionMatrix=u,this.viewMatrixInverse=se.invert([],this.viewMatrix)||this.viewMatrix,this.cameraPosition=k0(this.viewMatrixInverse);let d=nn(),h=nn();se.scale(d,d,[this.width/2,-this.height/2,1]),se.translate(d,d,[1,-1,0]),se.multiply(h,d,this.viewProjectionMatrix),this.pixelProjectionMatrix=h,this.pixelUnprojectionMatrix=se.invert(nn(),this.pixelProjectionMatrix),this.pixelUnprojectionMatrix||B.warn("Pixel project matrix not invertible")()}};Xc.displayName="Viewport";var Kc=Xc;_e();var Qc=class r extends Kc{constructor(e={}){let{latitude:t=0,longitude:i=0,zoom:n=0,pitch:o=0,bearing:s=0,nearZMultiplier:a=.1,farZMultiplier:c=1.01,nearZ:l,farZ:f,orthographic:u=!1,projectionMatrix:d,repeat:h=!1,worldOffset:p=0,position:g,padding:m,legacyMeterSizes:y=!1}=e,{width:v,height:_,altitude:b=1.5}=e,w=Math.pow(2,n);v=v||1,_=_||1;let P,L=null;if(d)b=d[5]/2,P=ci(b);else{e.fovy?(P=e.fovy,b=Go(P)):P=ci(b);let C;if(m){let{top:S=0,bottom:R=0}=m;C=[0,Me((S+_-R)/2,0,_)-_/2]}L=Kh({width:v,height:_,scale:w,center:g&&[0,0,g[2]*zo(t)],offset:C,pitch:o,fovy:P,nearZMultiplier:a,farZMultiplier:c}),Number.isFinite(l)&&(L.near=l),Number.isFinite(f)&&(L.far=f)}let T=Wc({height:_,pitch:o,bearing:s,scale:w,altitude:b});p&&(T=new me().translate([512*p,0,0]).multiplyLeft(T)),super({...e,width:v,height:_,viewMatrix:T,longitude:i,latitude:t,zoom:n,...L,fovy:P,focalDistance:b}),this.latitude=t,this.longitude=i,this.zoom=n,this.pitch=o,this.bearing=s,this.altitude=b,this.fovy=P,this.orthographic=u,this._subViewports=h?[]:null,this._pseudoMeters=y,Object.freeze(this)}get subViewports(){if(this._subViewports&&!this._subViewports.length){let e=this.getBounds(),t=Math.floor((e[0]+180)/360),i=Math.ceil((e[2]-180)/360);for(let n=t;n<=i;n++){let o=n?new r({...this,worldOffset:n}):this;this._subViewports.push(o)}}return this._subViewports}equals(e){return e instanceof r&&e._pseudoMeters===this._pseudoMeters&&super.equals(e)}projectPosition(e){if(this._pseudoMeters)return super.projectPosition(e);let[t,i]=this.projectFlat(e),n=(e[2]||0)*zo(e[1]);return[t,i,n]}unprojectPosition(e){if(this._pseudoMeters)return super.unprojectPosition(e);let[t,i]=this.unprojectFlat(e),n=(e[2]||0)/zo(i);return[t,i,n]}addMetersToLngLat(e,t){return Uo(e,t)}panByPosition(e,t,i){let n=yr(t,this.pixelUnprojectionMatrix),o=this.projectFlat(e),s=ot.add([],o,ot.negate([],n)),a=ot.add([],this.center,s),[c,l]=this.unprojectFlat(a);return{longitude:c,latitude:l}}panByPosition3D(e,t){let i=e[2]||0,n=ot.sub([],e,this.unproject(t,{targetZ:i}));return{longitude:this.longitude+n[0],latitude:this.latitude+n[1]}}getBounds(e={}){let t=Hc(this,e.z||0);return[Math.min(t[0][0],t[1][0],t[2][0],t[3][0]),Math.min(t[0][1],t[1][1],t[2][1],t[3][1]),Math.max(t[0][0],t[1][0],t[2][0],t[3][0]),Math.max(t[0][1],t[1][1],t[2][1],t[3][1])]}fitBounds(e,t={}){let{width:i,height:n}=this,{longitude:o,latitude:s,zoom:a}=jc({width:i,height:n,bounds:e,...t});return new r({width:i,height:n,longitude:o,latitude:s,zoom:a})}};Qc.displayName="WebMercatorViewport";var xr=Qc;_e();var U0=[0,0,0];function tp(r,e,t=!1){let i=e.projectPosition(r);if(t&&e instanceof xr){let[n,o,s=0]=r,a=e.getDistanceScales([n,o]);i[2]=s*a.unitsPerMeter[2]}return i}function IO(r){let{viewport:e,modelMatrix:t,coordinateOrigin:i}=r,{coordinateSystem:n,fromCoordinateSystem:o,fromCoordinateOrigin:s}=r;return n==="default"&&(n=e.isGeospatial?"lnglat":"cartesian"),o===void 0?o=n:o==="default"&&(o=e.isGeospatial?"lnglat":"cartesian"),s===void 0&&(s=i),{viewport:e,coordinateSystem:n,coordinateOrigin:i,modelMatrix:t,fromCoordinateSystem:o,fromCoordinateOrigin:s}}function Jc(r,{viewport:e,modelMatrix:t,coordinateSystem:i,coordinateOrigin:n,offsetMode:o}){let[s,a,c=0]=r;switch(t&&([s,a,c]=st.transformMat4([],[s,a,c,1],t)),i){case"default":return Jc(r,{viewport:e,modelMatrix:t,coordinateSystem:e.isGeospatial?"lnglat":"cartesian",coordinateOrigin:n,offsetMode:o});case"lnglat":return tp([s,a,c],e,o);case"lnglat-offsets":return tp([s+n[0],a+n[1],c+(n[2]||0)],e,o);case"meter-offsets":return tp(Uo(n,[s,a,c]),e,o);case"cartesian":return e.isGeospatial?[s+n[0],a+n[1],c+n[2]]:e.projectPosition([s,a,c]);default:throw new Error(`Invalid coordinateSystem: ${i}`)}}function G0(r,e){let{viewport:t,coordinateSystem:i,coordinateOrigin:n,modelMatrix:o,fromCoordinateSystem:s,fromCoordinateOrigin:a}=IO(e),{autoOffset:c=!0}=e,{geospatialOrigin:l=U0,shaderCoordinateOrigin:f=U0,offsetMode:u=!1}=c?Hh(t,i,n):{},d=Jc(r,{viewport:t,modelMatrix:o,coordinateSystem:s,coordinateOrigin:a,offsetMode:u});if(u){let h=t.projectPosition(l||f);ei.sub(d,d,h)}return d}var hB={blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"zero",blendAlphaOperation:"add",blendAlphaSrcFactor:"constant",blendAlphaDstFactor:"zero"},ui=class extends Zt{constructor(){super(...arguments),this._colorEncoderState=null}render(e){return"pickingFBO"in e?this._drawPickingBuffer(e):{decodePickingColor:null,stats:super._render(e)}}_drawPickingBuffer({layers:e,layerFilter:t,views:i,viewports:n,onViewportActive:o,pickingFBO:s,deviceRect:{x:a,y:c,width:l,height:f},cullRect:u,effects:d,pass:h="picking",pickZ:p,canvasContext:g,shaderModuleProps:m,clearColor:y}){this.pickZ=p;let v=this._resetColorEncoder(p),_=[a,c,l,f],b=super._render({target:s,layers:e,layerFilter:t,views:i,viewports:n,onViewportActive:o,cullRect:u,effects:d?.filter(P=>P.useInPicking),pass:h,canvasContext:g,isPicking:!0,shaderModuleProps:m,clearColor:y??[0,0,0,0],colorMask:15,scissorRect:_});return this._colorEncoderState=null,{decodePickingColor:v&&pB.bind(null,v),stats:b}}shouldDrawLayer(e){let{pickable:t,operation:i}=e.props;return t&&i.includes("draw")||i.includes("terrain")||i.includes("mask")}getShaderModuleProps(e,t,i){return{picking:{isActive:1,isAttribute:this.pickZ,disabledPickingIndices:e.internalState?.disabledPickingIndices},lighting:{enabled:!1}}}getLayerParameters(e,t,i){let n={...e.props.parameters},{pickable:o,operation:s}=e.props;return this._colorEncoderState?o&&s.includes("draw")?(Object.assign(n,hB),n.blend=!0,this.device.type==="webgpu"?n.blendConstant=bv(this._colorEncoderState,e,i):n.blendColor=bv(this._colorEncoderState,e,i),s.includes("terrain")&&e.state?._hasPickingCover&&(n.blendAlphaSrcFactor="one")):s.includes("terrain")&&(n.blend=!1):n.blend=!1,n}_resetColorEncoder(e){return this._colorEncoderState=e?null:{byLayer:new Map,byAlpha:[]},this._colorEncoderState}};function bv(r,e,t){let{byLayer:i,byAlpha:n}=r,o,s=i.get(e);return s?(s.viewports.push(t),o=s.a):(o=i.size+1,o<=255?(s={a:o,layer:e,viewports:[t]},i.set(e,s),n[o]=s):(B.warn("Too many pickable layers, only picking the first 255")(),o=0)),[0,0,0,o/255]}function pB(r,e){let t=r.byAlpha[e[3]];return t&&{pickedLayer:t.layer,pickedViewports:t.viewports,pickedObjectIndex:t.layer.decodePickingColor(e)}}q();var br={NO_STATE:"Awaiting state",MATCHED:"Matched. State transferred from previous layer",INITIALIZED:"Initialized",AWAITING_GC:"Discarded. Awaiting garbage collection",AWAITING_FINALIZATION:"No longer matched. Awaiting garbage collection",FINALIZED:"Finalized! Awaiting garbage collection"},un=Symbol.for("component"),tt=Symbol.for("propTypes"),il=Symbol.for("deprecatedProps"),Xt=Symbol.for("asyncPropDefaults"),Rt=Symbol.for("asyncPropOriginal"),ut=Symbol.for("asyncPropResolved");function dn(r,e=()=>!0){return Array.isArray(r)?vv(r,e,[]):e(r)?[r]:[]}function vv(r,e,t){let i=-1;for(;++i<r.length;){let n=r[i];Array.isArray(n)?vv(n,e,t):e(n)&&t.push(n)}return t}function wv({target:r,source:e,start:t=0,count:i=1}){let n=e.length,o=i*n,s=0;for(let a=t;s<n;s++)r[a++]=e[s];for(;s<o;)s<o-s?(r.copyWithin(t+s,t,t+s),s*=2):(r.copyWithin(t+s,t,t+o-s),s=o);return r}Un();var Ko=class{constructor(e,t,i){this._loadCount=0,this._subscribers=new Set,this.id=e,this.context=i,this.setData(t)}subscribe(e){this._subscribers.add(e)}unsubscribe(e){this._subscribers.delete(e)}inUse(){return this._subscribers.size>0}delete(){}getData(){return this.isLoaded?this._error?Promise.reject(this._error):this._content:this._loader.then(()=>this.getData())}setData(e,t){if(e===this._data&&!t)return;this._data=e;let i=++this._loadCount,n=e;typeof e=="string"&&(n=or(e)),n instanceof Promise?(this.isLoaded=!1,this._loader=n.then(o=>{this._loadCount===i&&(this.isLoaded=!0,this._error=void 0,this._content=o)}).catch(o=>{this._loadCount===i&&(this.isLoaded=!0,this._error=o||!0)})):(this.isLoaded=!0,this._error=void 0,this._content=e);for(let o of this._subscribers)o.onChange(this.getData())}};var Qo=class{constructor(e){this.protocol=e.protocol||"resource://",this._context={device:e.device,gl:e.device?.gl,resourceManager:this},this._resources={},this._consumers={},this._pruneRequest=null}contains(e){return e.startsWith(this.protocol)?!0:e in this._resources}add({resourceId:e,data:t,forceUpdate:i=!1,persistent:n=!0}){let o=this._resources[e];o?o.setData(t,i):(o=new Ko(e,t,this._context),this._resources[e]=o),o.persistent=n}remove(e){let t=this._resources[e];t&&(t.delete(),delete this._resources[e])}unsubscribe({consumerId:e}){let t=this._consumers[e];if(t){for(let i in t){let n=t[i],o=this._resources[n.resourceId];o&&o.unsubscribe(n)}delete this._consumers[e],this.prune()}}subscribe({resourceId:e,onChange:t,consumerId:i,requestId:n="default"}){let{_resources:o,protocol:s}=this;e.startsWith(s)&&(e=e.replace(s,""),o[e]||this.add({resourceId:e,data:null,persistent:!1}));let a=o[e];if(this._track(i,n,a,t),a)return a.getData()}prune(){this._pruneRequest||(this._pruneRequest=setTimeout(()=>this._prune(),0))}finalize(){for(let e in this._resources)this._resources[e].delete()}_track(e,t,i,n){let o=this._consumers,s=o[e]=o[e]||{},a=s[t],c=a&&a.resourceId&&this._resources[a.resourceId];c&&(c.unsubscribe(a),this.prune()),i&&(a?(a.onChange=n,a.resourceId=i.id):a={onChange:n,resourceId:i.id},s[t]=a,i.subscribe(a))}_prune(){this._pruneRequest=null;for(let e of Object.keys(this._resources)){let t=this._resources[e];!t.persistent&&!t.inUse()&&(t.delete(),delete this._resources[e])}}};var gB="layerManager.setLayers",mB="layerManager.activateViewport",Jo=class{constructor(e,t){this._lastRenderedLayers=[],this._needsRedraw=!1,this._needsUpdate=!1,this._nextLayers=null,this._debug=!1,this._defaultShaderModulesChanged=!1,this.activateViewport=a=>{ee(mB,this,a),a&&(this.context.viewport=a)};let{deck:i,stats:n,viewport:o,timeline:s}=t||{};this.layers=[],this.resourceManager=new Qo({device:e,protocol:"deck://"}),this.context={mousePosition:null,userData:{},layerManager:this,device:e,gl:e?.gl,deck:i,shaderAssembler:I0(e?.info?.shadingLanguage||"glsl"),defaultShaderModules:[Bh],renderPass:void 0,stats:n||new Ze({id:"deck.gl"}),viewport:o||new Kc({id:"DEFAULT-INITIAL-VIEWPORT"}),timeline:s||new fi,resourceManager:this.resourceManager,onError:void 0},Object.seal(this)}finalize(){this.resourceManager.finalize();for(let e of this.layers)this._finalizeLayer(e)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);for(let i of this.layers){let n=i.getNeedsRedraw(e);t=t||n}return t}needsUpdate(){return this._nextLayers&&this._nextLayers!==this._lastRenderedLayers?"layers changed":this._defaultShaderModulesChanged?"shader modules changed":this._needsUpdate}setNeedsRedraw(e){this._needsRedraw=this._needsRedraw||e}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e}getLayers({layerIds:e}={}){return e?this.layers.filter(t=>e.find(i=>t.id.indexOf(i)===0)):this.layers}setProps(e){"debug"in e&&(this._debug=e.debug),"userData"in e&&(this.context.userData=e.userData),"layers"in e&&(this._nextLayers=e.layers),"onError"in e&&(this.context.onError=e.onError)}setLayers(e,t){ee(gB,this,t,e),this._lastRenderedLayers=e;let i=dn(e,Boolean);for(let n of i)n.context=this.context;this._updateLayers(this.layers,i)}updateLayers(){let e=this.needsUpdate();e&&(this.setNeedsRedraw(`updating layers: ${e}`),this.setLayers(this._nextLayers||this._lastRenderedLayers,e)),this._nextLayers=null}addDefaultShaderModule(e){let{defaultShaderModules:t}=this.context;t.find(i=>i.name===e.name)||(t.push(e),this._defaultShaderModulesChanged=!0)}removeDefaultShaderModule(e){let{defaultShaderModules:t}=this.context,i=t.findIndex(n=>n.name===e.name);i>=0&&(t.splice(i,1),this._defaultShaderModulesChanged=!0)}_handleError(e,t,i){i.raiseError(t,`${e} of ${i}`)}_updateLayers(e,t){let i={};for(let s of e)i[s.id]?B.warn(`Multiple old layers with same id ${s.id}`)():i[s.id]=s;if(this._defaultShaderModulesChanged){for(let s of e)s.setNeedsUpdate(),s.setChangeFlags({extensionsChanged:!0});this._defaultShaderModulesChanged=!1}let n=[];this._updateSublayersRecursively(t,i,n),this._finalizeOldLayers(i);let o=!1;for(let s of n)if(s.hasUniformTransition()){o=`Uniform transition in ${s}`;break}this._needsUpdate=o,this.layers=n}_updateSublayersRecursively(e,t,i){for(let n of e){n.context=this.context;let o=t[n.id];o===null&&B.warn(`Multiple new layers with same id ${n.id}`)(),t[n.id]=null;let s=null;try{this._debug&&o!==n&&n.validateProps(),o?(this._transferLayerState(o,n),this._updateLayer(n)):this._initializeLayer(n),i.push(n),s=n.isComposite?n.getSubLayers():null}catch(a){this._handleError("matching",a,n)}s&&this._updateSublayersRecursively(s,t,i)}}_finalizeOldLayers(e){for(let t in e){let i=e[t];i&&this._finalizeLayer(i)}}_initializeLayer(e){try{e._initialize(),e.lifecycle=br.INITIALIZED}catch(t){this._handleError("initialization",t,e)}}_transferLayerState(e,t){t._transferState(e),t.lifecycle=br.MATCHED,t!==e&&(e.lifecycle=br.AWAITING_GC)}_updateLayer(e){try{e._update()}catch(t){this._handleError("update",t,e)}}_finalizeLayer(e){this._needsRedraw=this._needsRedraw||`finalized ${e}`,e.lifecycle=br.AWAITING_FINALIZATION;try{e._finalize(),e.lifecycle=br.FINALIZED}catch(t){this._handleError("finalization",t,e)}}};function te(r,e,t){if(r===e)return!0;if(!t||!r||!e)return!1;if(Array.isArray(r)){if(!Array.isArray(e)||r.length!==e.length)return!1;for(let i=0;i<r.length;i++)if(!te(r[i],e[i],t-1))return!1;return!0}if(Array.isArray(e))return!1;if(typeof r=="object"&&typeof e=="object"){let i=Object.keys(r),n=Object.keys(e);if(i.length!==n.length)return!1;for(let o of i)if(!e.hasOwnProperty(o)||!te(r[o],e[o],t-1))return!1;return!0}return!1}var vr="default-canvas",es=class{constructor(e){this.views=[],this.width=100,this.height=100,this.viewState={},this.controllers={},this.timeline=e.timeline,this._viewports=[],this._viewportMap={},this._isUpdating=!1,this._needsRedraw="First render",this._needsUpdate="Initialize",this._eventManager=e.eventManager,this._eventManagers=e.eventManagers||{},this._viewEventManagers={},this._eventCallbacks={onViewStateChange:e.onViewStateChange,onInteractionStateChange:e.onInteractionStateChange},this._pickPosition=e.pickPosition,this._getCanvasContext=e.getCanvasContext,Object.seal(this),this.setProps(e)}finalize(){for(let e in this.controllers){let t=this.controllers[e];t&&t.finalize()}this.controllers={}}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e,this._needsRedraw=this._needsRedraw||e}updateViewStates(){for(let e in this.controllers){let t=this.controllers[e];t&&t.updateTransition()}}getViewports(e){return e?this._viewports.filter(t=>{let i=!e.canvasId||this.getCanvasId(t.id)===e.canvasId,n=!("x"in e)||t.containsPixel(e);return i&&n}):this._viewports}getViews(){let e={};return this.views.forEach(t=>{e[t.id]=t}),e}getView(e){return this.views.find(t=>t.id===e)}getViewState(e){let t=typeof e=="string"?this.getView(e):e,i=t&&this.viewState[t.getViewStateId()]||this.viewState;return t?t.filterViewState(i):i}getViewport(e){return this._viewportMap[e]}getCanvasId(e){let t=typeof e=="string"?this.getView(e):e;return t?this._viewEventManagers[t.id]?.canvasId||this._getCanvasIdFromView(t):void 0}unproject(e,t){let i=this.getViewports(),n={x:e[0],y:e[1]};for(let o=i.length-1;o>=0;--o){let s=i[o];if(s.containsPixel(n)){let a=e.slice();return a[0]-=s.x,a[1]-=s.y,s.unproject(a,t)}}return null}setProps(e){e.views&&this._setViews(e.views),e.viewState&&this._setViewState(e.viewState),("width"in e||"height"in e)&&this._setSize(e.width,e.height),"pickPosition"in e&&(this._pickPosition=e.pickPosition),"eventManagers"in e&&this._setEventManagers(e.eventManagers||{}),this._isUpdating||this._update()}_update(){this._isUpdating=!0,this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._isUpdating=!1}_setSize(e,t){(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.setNeedsUpdate("Size changed"))}_setViews(e){e=dn(e,Boolean),this._diffViews(e,this.views)&&this.setNeedsUpdate("views changed"),this.views=e}_setViewState(e){e?(!te(e,this.viewState,3)&&this.setNeedsUpdate("viewState changed"),this.viewState=e):B.warn("missing `viewState` or `initialViewState`")()}_setEventManagers(e){this._eventManagers!==e&&(this._eventManagers=e,this.setNeedsUpdate("eventManagers changed"))}_getCanvasIdFromView(e){return e.props.canvasId||this._getCanvasContext?.(e.id)?.id||vr}_getCanvasDimensions(e){let t=this._getCanvasContext?.(e.id),[i,n]=t?.getCSSSize()||[this.width,this.height];return{width:i,height:n}}_getViewEventManager(e){let t=this.getCanvasId(e)||vr;return{canvasId:t,eventManager:this._eventManagers[t]||this._eventManager}}_startViewportRebuild(){let e=this.controllers,t=this._viewEventManagers;return this._viewports=[],this.controllers={},this._viewEventManagers={},{oldControllers:e,oldViewEventManagers:t}}_getReusableController(e,t,i){return e&&(t?.canvasId!==i.canvasId||t?.eventManager!==i.eventManager)?(e.finalize(),null):e}_createController(e,t){let i=t.type;return new i({timeline:this.timeline,eventManager:this._getViewEventManager(e).eventManager,onViewStateChange:this._eventCallbacks.onViewStateChange,onStateChange:this._eventCallbacks.onInteractionStateChange,makeViewport:o=>this.getView(e.id)?.makeViewport({viewState:o,...this._getCanvasDimensions(e)}),pickPosition:(o,s)=>this._pickPosition?.(o,s,e.id)})}_updateController(e,t,i,n){let o=e.controller;if(o&&i){let s={...t,...o,id:e.id,x:i.x,y:i.y,width:i.width,height:i.height};return(!n||n.constructor!==o.type)&&(n=this._createController(e,s)),n&&n.setProps(s),n}return null}_rebuildViewports(){let{views:e}=this,{oldControllers:t,oldViewEventManagers:i}=this._startViewportRebuild(),n=!1;for(let o=e.length;o--;){let s=e[o],{width:a,height:c}=this._getCanvasDimensions(s),l=this._getViewEventManager(s);this._viewEventManagers[s.id]=l;let f=this.getViewState(s),u=s.makeViewport({viewState:f,width:a,height:c}),d=this._getReusableController(t[s.id],i[s.id],l),h=!!s.controller;h&&!d&&(n=!0),(n||!h)&&d&&(d.finalize(),d=null),this.controllers[s.id]=this._updateController(s,f,u,d),u&&this._viewports.unshift(u)}for(let o in t){let s=t[o];s&&!this.controllers[o]&&s.finalize()}this._buildViewportMap()}_buildViewportMap(){this._viewportMap={},this._viewports.forEach(e=>{e.id&&(this._viewportMap[e.id]=this._viewportMap[e.id]||e)})}_diffViews(e,t){return e.length!==t.length?!0:e.some((i,n)=>!e[n].equals(t[n]))}};var _B=/^(?:\d+\.?\d*|\.\d+)$/;function De(r){switch(typeof r){case"number":if(!Number.isFinite(r))throw new Error(`Could not parse position string ${r}`);return{type:"literal",value:r};case"string":try{let e=yB(r);return new gp(e).parseExpression()}catch(e){let t=e instanceof Error?e.message:String(e);throw new Error(`Could not parse position string ${r}: ${t}`)}default:throw new Error(`Could not parse position string ${r}`)}}function pp(r,e){switch(r.type){case"literal":return r.value;case"percentage":return Math.round(r.value*e);case"binary":let t=pp(r.left,e),i=pp(r.right,e);return r.operator==="+"?t+i:t-i;default:throw new Error("Unknown layout expression type")}}function ke(r,e){return pp(r,e)}function yB(r){let e=[],t=0;for(;t<r.length;){let i=r[t];if(/\s/.test(i)){t++;continue}if(i==="+"||i==="-"||i==="("||i===")"||i==="%"){e.push({type:"symbol",value:i}),t++;continue}if(Pv(i)||i==="."){let n=t,o=i===".";for(t++;t<r.length;){let a=r[t];if(Pv(a)){t++;continue}if(a==="."&&!o){o=!0,t++;continue}break}let s=r.slice(n,t);if(!_B.test(s))throw new Error("Invalid number token");e.push({type:"number",value:parseFloat(s)});continue}if(Ev(i)){let n=t;for(;t<r.length&&Ev(r[t]);)t++;let o=r.slice(n,t).toLowerCase();e.push({type:"word",value:o});continue}throw new Error("Invalid token in position string")}return e}var gp=class{constructor(e){this.index=0,this.tokens=e}parseExpression(){let e=this.parseBinaryExpression();if(this.index<this.tokens.length)throw new Error("Unexpected token at end of expression");return e}parseBinaryExpression(){let e=this.parseFactor(),t=this.peek();for(;xB(t);){this.index++;let i=this.parseFactor();e={type:"binary",operator:t.value,left:e,right:i},t=this.peek()}return e}parseFactor(){let e=this.peek();if(!e)throw new Error("Unexpected end of expression");if(e.type==="symbol"&&e.value==="+")return this.index++,this.parseFactor();if(e.type==="symbol"&&e.value==="-"){this.index++;let t=this.parseFactor();return{type:"binary",operator:"-",left:{type:"literal",value:0},right:t}}if(e.type==="symbol"&&e.value==="("){this.index++;let t=this.parseBinaryExpression();if(!this.consumeSymbol(")"))throw new Error("Missing closing parenthesis");return t}if(e.type==="word"&&e.value==="calc"){if(this.index++,!this.consumeSymbol("("))throw new Error("Missing opening parenthesis after calc");let t=this.parseBinaryExpression();if(!this.consumeSymbol(")"))throw new Error("Missing closing parenthesis");return t}if(e.type==="number"){this.index++;let t=e.value,i=this.peek();return i&&i.type==="symbol"&&i.value==="%"?(this.index++,{type:"percentage",value:t/100}):i&&i.type==="word"&&i.value==="px"?(this.index++,{type:"literal",value:t}):{type:"literal",value:t}}throw new Error("Unexpected token in expression")}consumeSymbol(e){let t=this.peek();return t&&t.type==="symbol"&&t.value===e?(this.index++,!0):!1}peek(){return this.tokens[this.index]||null}};function Pv(r){return r>="0"&&r<="9"}function Ev(r){return r>="a"&&r<="z"||r>="A"&&r<="Z"}function xB(r){return!!(r&&r.type==="symbol"&&(r.value==="+"||r.value==="-"))}function Sv(r,e){let t={...r};for(let i in e)i!=="id"&&(Array.isArray(t[i])&&Array.isArray(e[i])?t[i]=bB(t[i],e[i]):t[i]=e[i]);return t}function bB(r,e){r=r.slice();for(let t=0;t<e.length;t++){let i=e[t];Number.isFinite(i)&&(r[t]=i)}return r}var ts=class{constructor(e){let{id:t,x:i=0,y:n=0,width:o="100%",height:s="100%",padding:a=null}=e;this.id=t||this.constructor.displayName||"view",this.props={...e,id:this.id},this._x=De(i),this._y=De(n),this._width=De(o),this._height=De(s),this._padding=a&&{left:De(a.left||0),right:De(a.right||0),top:De(a.top||0),bottom:De(a.bottom||0)},this.equals=this.equals.bind(this),Object.seal(this)}equals(e){return this===e?!0:this.constructor===e.constructor&&te(this.props,e.props,2)}clone(e){let t=this.constructor;return new t({...this.props,...e})}makeViewport({width:e,height:t,viewState:i}){i=this.filterViewState(i);let n=this.getDimensions({width:e,height:t});if(!n.height||!n.width)return null;let o=this.getViewportType(i);return new o({...i,...this.props,...n})}getViewStateId(){let{viewState:e}=this.props;return typeof e=="string"?e:e?.id||this.id}filterViewState(e){return this.props.viewState&&typeof this.props.viewState=="object"?this.props.viewState.id?Sv(e,this.props.viewState):this.props.viewState:e}getDimensions({width:e,height:t}){let i={x:ke(this._x,e),y:ke(this._y,t),width:ke(this._width,e),height:ke(this._height,t)};return this._padding&&(i.padding={left:ke(this._padding.left,e),top:ke(this._padding.top,t),right:ke(this._padding.right,e),bottom:ke(this._padding.bottom,t)}),i}get controller(){let e=this.props.controller;return e?e===!0?{type:this.ControllerType}:typeof e=="function"?{type:e}:{type:this.ControllerType,...e}:null}};_e();var dt=class{constructor(e){this._inProgress=!1,this._handle=null,this.time=0,this.settings={duration:0},this._timeline=e}get inProgress(){return this._inProgress}start(e){this.cancel(),this.settings=e,this._inProgress=!0,this.settings.onStart?.(this)}end(){this._inProgress&&(this._timeline.removeChannel(this._handle),this._handle=null,this._inProgress=!1,this.settings.onEnd?.(this))}cancel(){this._inProgress&&(this.settings.onInterrupt?.(this),this._timeline.removeChannel(this._handle),this._handle=null,this._inProgress=!1)}update(){if(!this._inProgress)return!1;if(this._handle===null){let{_timeline:e,settings:t}=this;this._handle=e.addChannel({delay:e.getTime(),duration:t.duration})}return this.time=this._timeline.getTime(this._handle),this._onUpdate(),this.settings.onUpdate?.(this),this._timeline.isFinished(this._handle)&&this.end(),!0}_onUpdate(){}};var Tv=()=>{},Lv={mode:"preserve"},vB={mode:"hard"},mp={BREAK:1,SNAP_TO_END:2,IGNORE:3},wB=r=>r,PB=mp.BREAK,rs=class{constructor(e){this._onTransitionUpdate=t=>{let{time:i,settings:{interpolator:n,startProps:o,endProps:s,duration:a,easing:c}}=t,l=c(i/a),f=n.interpolateProps(o,s,l);this.propsInTransition=this.getControllerState({...this.props,...f},Lv).getViewportProps(),this.onViewStateChange({viewState:this.propsInTransition,oldViewState:this.props})},this.getControllerState=e.getControllerState,this.propsInTransition=null,this.transition=new dt(e.timeline),this.onViewStateChange=e.onViewStateChange||Tv,this.onStateChange=e.onStateChange||Tv}finalize(){this.transition.cancel()}getViewportInTransition(){return this.propsInTransition}processViewStateChange(e){let t=!1,i=this.props;if(this.props=e,!i||this._shouldIgnoreViewportChange(i,e))return!1;if(this._isTransitionEnabled(e)){let n=i;if(this.transition.inProgress){let{interruption:o,endProps:s}=this.transition.settings;n={...i,...o===mp.SNAP_TO_END?s:this.propsInTransition||i}}this._triggerTransition(n,e),t=!0}else this.transition.cancel();return t}updateTransition(){this.transition.update()}_isTransitionEnabled(e){let{transitionDuration:t,transitionInterpolator:i}=e;return(t>0||t==="auto")&&!!i}_isUpdateDueToCurrentTransition(e){return this.transition.inProgress&&this.propsInTransition?this.transition.settings.interpolator.arePropsEqual(e,this.propsInTransition):!1}_shouldIgnoreViewportChange(e,t){return this.transition.inProgress?this.transition.settings.interruption===mp.IGNORE||this._isUpdateDueToCurrentTransition(t):this._isTransitionEnabled(t)?t.transitionInterpolator.arePropsEqual(e,t):!0}_triggerTransition(e,t){let i=this.getControllerState(e,Lv),n=this.getControllerState(t,vB).shortestPathFrom(i),o=t.transitionInterpolator,s=o.getDuration?o.getDuration(e,t):t.transitionDuration;if(s===0)return;let a=o.initializeProps(e,n);this.propsInTransition={};let c={duration:s,easing:t.transitionEasing||wB,interpolator:o,interruption:t.transitionInterruption||PB,startProps:a.start,endProps:a.end,onStart:t.onTransitionStart,onUpdate:this._onTransitionUpdate,onInterrupt:this._onTransitionEnd(t.onTransitionInterrupt),onEnd:this._onTransitionEnd(t.onTransitionEnd)};this.transition.start(c),this.onStateChange({inTransition:!0}),this.updateTransition()}_onTransitionEnd(e){return t=>{this.propsInTransition=null,this.onStateChange({inTransition:!1,isZooming:!1,isPanning:!1,isRotating:!1}),e?.(t)}}};_e();function $(r,e){if(!r)throw new Error(e||"deck.gl: assertion failed.")}var is=class{constructor(e){let{compare:t,extract:i,required:n}=e;this._propsToCompare=t,this._propsToExtract=i||t,this._requiredProps=n}arePropsEqual(e,t){for(let i of this._propsToCompare)if(!(i in e)||!(i in t)||!Tt(e[i],t[i]))return!1;return!0}initializeProps(e,t){let i={},n={};for(let o of this._propsToExtract)(o in e||o in t)&&(i[o]=e[o],n[o]=t[o]);return this._checkRequiredProps(i),this._checkRequiredProps(n),{start:i,end:n}}getDuration(e,t){return t.transitionDuration}_checkRequiredProps(e){this._requiredProps&&this._requiredProps.forEach(t=>{let i=e[t];$(Number.isFinite(i)||Array.isArray(i),`${t} is required for transition`)})}};_e();var EB=["longitude","latitude","zoom","bearing","pitch"],SB=["longitude","latitude","zoom"],di=class extends is{constructor(e={}){let t=Array.isArray(e)?e:e.transitionProps,i=Array.isArray(e)?{}:e;i.transitionProps=Array.isArray(t)?{compare:t,required:t}:t||{compare:EB,required:SB},super(i.transitionProps),this.opts=i}initializeProps(e,t){let i=super.initializeProps(e,t),{makeViewport:n,around:o}=this.opts;if(n&&o){let s=n(e),a=n(t),c=s.unproject(o);i.start.around=o,Object.assign(i.end,{around:a.project(c),aroundPosition:c,width:t.width,height:t.height})}return i}interpolateProps(e,t,i){let n={};for(let o of this._propsToExtract)n[o]=nt(e[o]||0,t[o]||0,i);if(t.aroundPosition&&this.opts.makeViewport){let o=this.opts.makeViewport({...t,...n});Object.assign(n,o.panByPosition(t.aroundPosition,nt(e.around,t.around,i)))}return n}};var Ot={transitionDuration:0},TB=300,LB=300,_p=r=>1-(1-r)*(1-r),CB=r=>r===1?1:1-Math.pow(2,-10*r),hi={WHEEL:["wheel"],PAN:["panstart","panmove","panend"],PINCH:["pinchstart","pinchmove","pinchend"],MULTI_PAN:["multipanstart","multipanmove","multipanend"],DOUBLE_CLICK:["dblclick"],DOUBLE_CLICK_DRAG:["dblclickdragstart","dblclickdragmove","dblclickdragend","dblclickdragcancel"],KEYBOARD:["keydown"]},pi={},ns=class{constructor(e){this.state={},this._events={},this._interactionState={isDragging:!1},this._customEvents=[],this._eventStartBlocked=null,this._panMove=!1,this._multiPanMode=null,this._multiPanStartCenter=null,this._doubleClickDragAnchor=null,this._suppressDoubleClickUntil=0,this.invertPan=!1,this.dragMode="rotate",this.inertia=0,this.scrollZoom=!0,this.dragPan=!0,this.dragRotate=!0,this.doubleClickZoom=!0,this.doubleClickDragZoom=!0,this.touchZoom=!0,this.touchRotate=!1,this.multiTouchDrag=null,this.trackpadGesture=!1,this.zoomAround="pointer",this.keyboard=!0,this.transitionManager=new rs({...e,getControllerState:(t,i)=>new this.ControllerState({...t,constraintContext:i,makeViewport:e.makeViewport}),onViewStateChange:this._onTransition.bind(this),onStateChange:this._setInteractionState.bind(this)}),this.handleEvent=this.handleEvent.bind(this),this.eventManager=e.eventManager,this.onViewStateChange=e.onViewStateChange||(()=>{}),this.onStateChange=e.onStateChange||(()=>{}),this.makeViewport=e.makeViewport,this.pickPosition=e.pickPosition}set events(e){this.toggleEvents(this._customEvents,!1),this.toggleEvents(e,!0),this._customEvents=e,this.props&&this.setProps(this.props)}finalize(){for(let e in this._events)this._events[e]&&this.eventManager?.off(e,this.handleEvent);this.transitionManager.finalize()}handleEvent(e){this._controllerState=void 0;let t=this._eventStartBlocked;switch(e.type){case"panstart":return t?!1:this._onPanStart(e);case"panmove":return this._onPan(e);case"panend":return this._onPanEnd(e);case"pinchstart":return t||!this._isTrackpadGestureAllowed(e)?!1:this._onPinchStart(e);case"pinchmove":return this._isTrackpadGestureAllowed(e)?this._onPinch(e):!1;case"pinchend":return this._isTrackpadGestureAllowed(e)?this._onPinchEnd(e):!1;case"multipanstart":return t?!1:this._onMultiPanStart(e);case"multipanmove":return this._onMultiPan(e);case"multipanend":return this._onMultiPanEnd(e);case"dblclick":return this._onDoubleClick(e);case"dblclickdragstart":return t?!1:this._onDoubleClickDragStart(e);case"dblclickdragmove":return this._onDoubleClickDrag(e);case"dblclickdragend":case"dblclickdragcancel":return this._onDoubleClickDragEnd(e);case"wheel":return this._onWheel(e);case"keydown":return this._onKeyDown(e);default:return!1}}get controllerState(){return this._controllerState=this._controllerState||new this.ControllerState({makeViewport:this.makeViewport,...this.props,...this.state}),this._controllerState}getCenter(e){let{x:t,y:i}=this.props,{offsetCenter:n}=e;return[n.x-t,n.y-i]}getZoomPosition(e){if(this.zoomAround==="pointer")return e;let t=this.makeViewport(this.controllerState.getViewportProps()),[i,n]=_r(t.center,t.pixelProjectionMatrix);return[i,n]}isPointInBounds(e,t){let{width:i,height:n}=this.props;if(t&&t.handled)return!1;let o=e[0]>=0&&e[0]<=i&&e[1]>=0&&e[1]<=n;return o&&t&&t.stopPropagation(),o}isFunctionKeyPressed(e){let{srcEvent:t}=e;return!!(t.metaKey||t.altKey||t.ctrlKey||t.shiftKey)}isDragging(){return this._interactionState.isDragging||!1}blockEvents(e){let t=setTimeout(()=>{this._eventStartBlocked===t&&(this._eventStartBlocked=null)},e);this._eventStartBlocked=t}setProps(e){e.maxBoundsPadding===void 0&&(e.maxBoundsPadding=null),e.dragMode&&(this.dragMode=e.dragMode);let t=this.props;this.props=e,"transitionInterpolator"in e||(e.transitionInterpolator=this._getTransitionProps().transitionInterpolator),this.transitionManager.processViewStateChange(e);let{inertia:i}=e;this.inertia=Number.isFinite(i)?i:i===!0?TB:0;let{scrollZoom:n=!0,dragPan:o=!0,dragRotate:s=!0,doubleClickZoom:a=!0,doubleClickDragZoom:c=!1,touchZoom:l=!0,touchRotate:f=!1,multiTouchDrag:u=f?"rotate":null,trackpadGesture:d=!1,zoomAround:h="pointer",keyboard:p=!0}=e,g=!!this.onViewStateChange;if(this.toggleEvents(hi.WHEEL,g&&n),this.toggleEvents(hi.PAN,g),this.toggleEvents(hi.PINCH,g&&(l||u==="rotate")),this.toggleEvents(hi.MULTI_PAN,g&&!!u),this.toggleEvents(hi.DOUBLE_CLICK,g&&a),this.toggleEvents(hi.DOUBLE_CLICK_DRAG,g&&c),this.toggleEvents(hi.KEYBOARD,g&&p),this.scrollZoom=n,this.dragPan=o,this.dragRotate=s,this.doubleClickZoom=a,this.doubleClickDragZoom=c,this.touchZoom=l,this.touchRotate=u==="rotate",this.multiTouchDrag=u,this.trackpadGesture=d,this.zoomAround=h,this.keyboard=p,(!t||t.height!==e.height||t.width!==e.width||t.maxBounds!==e.maxBounds||t.maxBoundsPadding!==e.maxBoundsPadding)&&e.maxBounds){let y=new this.ControllerState({...e,makeViewport:this.makeViewport}),v=y.getViewportProps();Object.keys(v).some(b=>!te(v[b],e[b],1))&&this.updateViewport(y)}}updateTransition(){this.transitionManager.updateTransition()}toggleEvents(e,t){this.eventManager&&e.forEach(i=>{this._events[i]!==t&&(this._events[i]=t,t?this.eventManager.on(i,this.handleEvent):this.eventManager.off(i,this.handleEvent))})}updateViewport(e,t=null,i={}){let n={...e.getViewportProps(),...t},o=this.controllerState!==e;if(this.state=e.getState(),this._setInteractionState(i),o){let s=this.controllerState&&this.controllerState.getViewportProps();this.onViewStateChange&&this.onViewStateChange({viewState:n,interactionState:this._interactionState,oldViewState:s,viewId:this.props.id})}}_onTransition(e){this.onViewStateChange({...e,interactionState:this._interactionState,viewId:this.props.id})}_setInteractionState(e){Object.assign(this._interactionState,e),this.onStateChange(this._interactionState)}_getConstraintContext(e,t){return this.props.rubberBand?{mode:t==="update"?"elastic":t==="end"?"rebound":"hard"}:{mode:"hard"}}_getReboundTransition(e,t){if(e.mode!=="rebound")return null;let i=t.getViewportProps();return Object.keys(i).some(o=>!te(this.props[o],i[o],1))?{...this._getTransitionProps(),transitionDuration:LB,transitionEasing:CB}:null}_onPanStart(e){let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let i=this.isFunctionKeyPressed(e)||e.rightButton||!1;(this.invertPan||this.dragMode==="pan")&&(i=!i);let n=i?"pan":"rotate",o=this._getConstraintContext(n,"start"),s=i?this.controllerState.panStart({pos:t},o):this.controllerState.rotateStart({pos:t},o);return this._panMove=i,this.updateViewport(s,Ot,{isDragging:!0}),!0}_onPan(e){return this.isDragging()?this._panMove?this._onPanMove(e):this._onPanRotate(e):!1}_onPanEnd(e){return this.isDragging()?this._panMove?this._onPanMoveEnd(e):this._onPanRotateEnd(e):!1}_onPanMove(e){if(!this.dragPan)return!1;let t=this.getCenter(e),i=this.controllerState.pan({pos:t},this._getConstraintContext("pan","update"));return this.updateViewport(i,Ot,{isDragging:!0,isPanning:!0}),!0}_onPanMoveEnd(e){let{inertia:t}=this;if(this.dragPan&&t&&e.velocity){let i=this.getCenter(e),n=[i[0]+e.velocityX*t/2,i[1]+e.velocityY*t/2],o=this.controllerState.pan({pos:n}).panEnd();this.updateViewport(o,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:_p},{isDragging:!1,isPanning:!0})}else{let i=this.controllerState,n=this._getConstraintContext("pan","end"),o=i.panEnd(n),s=this._getReboundTransition(n,o);this.updateViewport(o,s,{isDragging:!1,isPanning:!!s})}return!0}_onPanRotate(e){if(!this.dragRotate)return!1;let t=this.getCenter(e),i=this.controllerState.rotate({pos:t},this._getConstraintContext("rotate","update"));return this.updateViewport(i,Ot,{isDragging:!0,isRotating:!0}),!0}_onPanRotateEnd(e){let{inertia:t}=this;if(this.dragRotate&&t&&e.velocity){let i=this.getCenter(e),n=[i[0]+e.velocityX*t/2,i[1]+e.velocityY*t/2],o=this.controllerState.rotate({pos:n}).rotateEnd();this.updateViewport(o,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:_p},{isDragging:!1,isRotating:!0})}else{let i=this.controllerState,n=this._getConstraintContext("rotate","end"),o=i.rotateEnd(n),s=this._getReboundTransition(n,o);this.updateViewport(o,s,{isDragging:!1,isRotating:!!s})}return!0}_onWheel(e){if(!this.scrollZoom||this.trackpadGesture&&e.device!=="mouse")return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;e.srcEvent.preventDefault();let{speed:i=.01,smooth:n=!1}=this.scrollZoom===!0?{}:this.scrollZoom,{delta:o}=e,s=2/(1+Math.exp(-Math.abs(o*i)));o<0&&s!==0&&(s=1/s);let a=this.getZoomPosition(t),c=n?{...this._getTransitionProps({around:a}),transitionDuration:250}:Ot,l=this.controllerState.zoom({pos:a,scale:s});return this.updateViewport(l,c,{isZooming:!0,isPanning:!0}),n||this._setInteractionState({isZooming:!1,isPanning:!1}),!0}_onMultiPanStart(e){let{multiTouchDrag:t}=this;if(!t||!this._isMultiPanEventAllowed(e,t))return!1;let i=e.offsetCenter;if(!this.isPointInBounds(this.getCenter(e),e))return!1;let n=e.pointerType==="trackpad",o={x:i.x-(n?0:e.deltaX),y:i.y-(n?0:e.deltaY)},s={...e,offsetCenter:o},a=this.getCenter(s),c=t==="pan"?this.controllerState.panStart({pos:a},this._getConstraintContext("pan","start")):this.controllerState.rotateStart({pos:a},this._getConstraintContext("rotate","start"));return this._multiPanMode=t,this._multiPanStartCenter=o,this.updateViewport(c,Ot,{isDragging:!0}),!0}_onMultiPan(e){let{mode:t,event:i}=this._getMultiPanEvent(e);return!t||!i||!this.isDragging()?!1:t==="pan"?this._onPanMove(i):this._onPanRotate(i)}_onMultiPanEnd(e){let{mode:t,event:i}=this._getMultiPanEvent(e);if(!t||!i||!this.isDragging())return this._resetMultiPan(),!1;let n=t==="pan"?this._onPanMoveEnd(i):this._onPanRotateEnd(i);return this._resetMultiPan(),n}_isTrackpadGestureAllowed(e){return e.pointerType!=="trackpad"||this.trackpadGesture}_isMultiPanEventAllowed(e,t){return e.pointerType==="trackpad"?this.trackpadGesture&&(t==="pan"?this.dragPan:this.dragRotate):e.pointerType==="touch"&&(t==="pan"?this.dragPan:this.dragRotate)}_getMultiPanEvent(e){let t=this._multiPanMode,i=this._multiPanStartCenter;return!t||!i?{mode:null,event:null}:{mode:t,event:{...e,offsetCenter:{x:i.x+e.deltaX,y:i.y+e.deltaY}}}}_resetMultiPan(){this._multiPanMode=null,this._multiPanStartCenter=null}_onPinchStart(e){this._doubleClickDragAnchor=null;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let i=this.controllerState.zoomStart({pos:this.getZoomPosition(t)},this._getConstraintContext("zoom","start")).rotateStart({pos:t},this._getConstraintContext("rotate","start"));return pi._startPinchRotation=e.rotation,pi._lastPinchEvent=e,this.updateViewport(i,Ot,{isDragging:!0}),!0}_onPinch(e){if(!this.touchZoom&&!this.touchRotate||!this.isDragging())return!1;let t=this.controllerState;if(this.touchZoom){let{scale:i}=e,n=this.getCenter(e);t=t.zoom({pos:this.getZoomPosition(n),scale:i},this._getConstraintContext("zoom","update"))}if(this.touchRotate){let{rotation:i}=e;t=t.rotate({deltaAngleX:pi._startPinchRotation-i},this._getConstraintContext("rotate","update"))}return this.updateViewport(t,Ot,{isDragging:!0,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:this.touchRotate}),pi._lastPinchEvent=e,!0}_onPinchEnd(e){if(!this.isDragging())return!1;let{inertia:t}=this,{_lastPinchEvent:i}=pi;if(this.touchZoom&&t&&i&&e.scale!==i.scale){let n=this.getCenter(e),o=this.getZoomPosition(n),s=this.controllerState.rotateEnd(),a=Math.log2(e.scale),c=(a-Math.log2(i.scale))/(e.deltaTime-i.deltaTime),l=Math.pow(2,a+c*t/2);s=s.zoom({pos:o,scale:l}).zoomEnd(),this.updateViewport(s,{...this._getTransitionProps({around:o}),transitionDuration:t,transitionEasing:_p},{isDragging:!1,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:!1}),this.blockEvents(t)}else{let n=this.controllerState,o=this._getConstraintContext("zoom","end"),s=this._getConstraintContext("rotate","end"),a=n.zoomEnd(o).rotateEnd(s),c=this._getReboundTransition(this.touchZoom?o:s,a);this.updateViewport(a,c,{isDragging:!1,isPanning:!!c&&this.touchZoom,isZooming:!!c&&this.touchZoom,isRotating:!!c&&this.touchRotate})}return pi._startPinchRotation=null,pi._lastPinchEvent=null,!0}_onDoubleClick(e){if(!this.doubleClickZoom||Date.now()<this._suppressDoubleClickUntil)return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let i=this.isFunctionKeyPressed(e),n=this.getZoomPosition(t),o=this.controllerState.zoom({pos:n,scale:i?.5:2});return this.updateViewport(o,this._getTransitionProps({around:n}),{isZooming:!0,isPanning:!0}),this.blockEvents(100),!0}_onDoubleClickDragStart(e){if(!this.doubleClickDragZoom)return this._doubleClickDragAnchor=null,!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return this._doubleClickDragAnchor=null,!1;this._doubleClickDragAnchor=this.getZoomPosition(t);let i=this.controllerState.zoomStart({pos:this._doubleClickDragAnchor},this._getConstraintContext("zoom","start"));return e.scale!==1&&(i=i.zoom({pos:this._doubleClickDragAnchor,scale:e.scale},this._getConstraintContext("zoom","update"))),this.updateViewport(i,Ot,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDrag(e){let t=this._doubleClickDragAnchor;if(!t)return!1;let i=this.controllerState.zoom({pos:t,scale:e.scale},this._getConstraintContext("zoom","update"));return this.updateViewport(i,Ot,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDragEnd(e){if(!this._doubleClickDragAnchor)return!1;this._doubleClickDragAnchor=null;let i=this.controllerState,n=this._getConstraintContext("zoom","end"),o=i.zoomEnd(n),s=this._getReboundTransition(n,o);return this.updateViewport(o,s,{isDragging:!1,isPanning:!!s,isZooming:!!s}),this._suppressDoubleClickUntil=Date.now()+100,this.blockEvents(100),!0}_onKeyDown(e){if(!this.keyboard)return!1;let t=this.isFunctionKeyPressed(e),{zoomSpeed:i,moveSpeed:n,rotateSpeedX:o,rotateSpeedY:s}=this.keyboard===!0?{}:this.keyboard,{controllerState:a}=this,c,l={};switch(e.srcEvent.code){case"Minus":c=t?a.zoomOut(i).zoomOut(i):a.zoomOut(i),l.isZooming=!0;break;case"Equal":c=t?a.zoomIn(i).zoomIn(i):a.zoomIn(i),l.isZooming=!0;break;case"ArrowLeft":t?(c=a.rotateLeft(o),l.isRotating=!0):(c=a.moveLeft(n),l.isPanning=!0);break;case"ArrowRight":t?(c=a.rotateRight(o),l.isRotating=!0):(c=a.moveRight(n),l.isPanning=!0);break;case"ArrowUp":t?(c=a.rotateUp(s),l.isRotating=!0):(c=a.moveUp(n),l.isPanning=!0);break;case"ArrowDown":t?(c=a.rotateDown(s),l.isRotating=!0):(c=a.moveDown(n),l.isPanning=!0);break;default:return!1}return this.updateViewport(c,this._getTransitionProps(),l),!0}_getTransitionProps(e){let{transition:t}=this;return!t||!t.transitionInterpolator?Ot:e?{...t,transitionInterpolator:new di({...e,...t.transitionInterpolator.opts,makeViewport:this.controllerState.makeViewport})}:t}};var hn=Symbol("constraintAround"),os=class{constructor(e,t,i,n){this.makeViewport=i,this._viewportProps=this.applyConstraints(e,n),this._state=t}getViewportProps(){return this._viewportProps}getState(){return this._state}};function nl(r,e,t){let i=r-e;return i&&Number.isFinite(i)?e+i*t/(t+Math.abs(i)):e}function yp(r,e,t){let i=ke(De(t?.left??0),r),n=ke(De(t?.right??0),r),o=ke(De(t?.top??0),e),s=ke(De(t?.bottom??0),e);return{x:i,y:o,width:r-i-n,height:e-o-s}}function Cv(r,e,t){let[i,n]=r.project(e);return i=Number.isFinite(i)?i:r.width/2,n=Number.isFinite(n)?n:r.height/2,{left:i-t.x,right:t.x+t.width-i,top:n-t.y,bottom:t.y+t.height-n}}var Av=5,AB=1.2,Mv=512,Iv=[[-1/0,-90],[1/0,90]],MB=1;function ss([r,e]){if(Math.abs(e)>90&&(e=Math.sign(e)*90),Number.isFinite(r)){let[i,n]=Ie([r,e]);return[i,Me(n,0,Mv)]}let[,t]=Ie([0,e]);return[r,Me(t,0,Mv)]}var xp=class extends os{constructor(e){let{width:t,height:i,latitude:n,longitude:o,zoom:s,bearing:a=0,pitch:c=0,altitude:l=1.5,position:f=[0,0,0],maxZoom:u=20,minZoom:d=0,maxPitch:h=60,minPitch:p=0,startPanLngLat:g,startZoomLngLat:m,startRotatePos:y,startRotateLngLat:v,startBearing:_,startPitch:b,startZoom:w,normalize:P=!0,rubberBand:L=!1}=e,{[hn]:T}=e;$(Number.isFinite(o)),$(Number.isFinite(n)),$(Number.isFinite(s));let C=e.maxBounds||(P?Iv:null),S=e.maxBoundsPadding||null;super({width:t,height:i,latitude:n,longitude:o,zoom:s,bearing:a,pitch:c,altitude:l,maxZoom:u,minZoom:d,maxPitch:h,minPitch:p,normalize:P,position:f,maxBounds:C,maxBoundsPadding:S,rubberBand:L,[hn]:T},{startPanLngLat:g,startZoomLngLat:m,startRotatePos:y,startRotateLngLat:v,startBearing:_,startPitch:b,startZoom:w},e.makeViewport,e.constraintContext),this.getAltitude=e.getAltitude}panStart({pos:e},t){return this._getUpdatedState({startPanLngLat:this._unproject(e)},t)}pan({pos:e,startPos:t},i){let n=this.getState().startPanLngLat||this._unproject(t);if(!n)return this;let s=this.makeViewport(this.getViewportProps()).panByPosition(n,e);return this._getUpdatedState(s,i)}panEnd(e){return this._getUpdatedState({startPanLngLat:null},e)}rotateStart({pos:e}){let t=this.getAltitude?.(e);return this._getUpdatedState({startRotatePos:e,startRotateLngLat:t!==void 0?this._unproject3D(e,t):void 0,startBearing:this.getViewportProps().bearing,startPitch:this.getViewportProps().pitch})}rotate({pos:e,deltaAngleX:t=0,deltaAngleY:i=0}){let{startRotatePos:n,startRotateLngLat:o,startBearing:s,startPitch:a}=this.getState();if(!n||s===void 0||a===void 0)return this;let c;if(e?c=this._getNewRotation(e,n,a,s):c={bearing:s+t,pitch:a+i},o){let l=this.makeViewport({...this.getViewportProps(),...c}),f="panByPosition3D"in l?"panByPosition3D":"panByPosition";return this._getUpdatedState({...c,...l[f](o,n)})}return this._getUpdatedState(c)}rotateEnd(){return this._getUpdatedState({startRotatePos:null,startRotateLngLat:null,startBearing:null,startPitch:null})}zoomStart({pos:e},t){return this._getUpdatedState({startZoomLngLat:this._unproject(e),startZoom:this.getViewportProps().zoom},t)}zoom({pos:e,startPos:t,scale:i},n){let{startZoom:o,startZoomLngLat:s}=this.getState();return s||(o=this.getViewportProps().zoom,s=this._unproject(t)||this._unproject(e)),s?this._getUpdatedState({zoom:o+Math.log2(i),[hn]:{position:s,screenPosition:e}},n):this}zoomEnd(e){return this._getUpdatedState({startZoomLngLat:null,startZoom:null},e)}zoomIn(e=2,t){return this._zoomFromCenter(e,t)}zoomOut(e=2,t){return this._zoomFromCenter(1/e,t)}moveLeft(e=100,t){return this._panFromCenter([e,0],t)}moveRight(e=100,t){return this._panFromCenter([-e,0],t)}moveUp(e=100,t){return this._panFromCenter([0,e],t)}moveDown(e=100,t){return this._panFromCenter([0,-e],t)}rotateLeft(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing-e})}rotateRight(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing+e})}rotateUp(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch+e})}rotateDown(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch-e})}shortestPathFrom(e){let t=e.getViewportProps(),i={...this.getViewportProps()},{bearing:n,longitude:o}=i;return Math.abs(n-t.bearing)>180&&(i.bearing=n<0?n+360:n-360),Math.abs(o-t.longitude)>180&&(i.longitude=o<0?o+360:o-360),i}applyConstraints(e,t){let i=e,n=i[hn];delete i[hn];let{maxPitch:o,minPitch:s,pitch:a,bearing:c,normalize:l,maxBounds:f,rubberBand:u}=e;l&&(c<-180||c>180)&&(e.bearing=ep(c+180,360)-180),e.pitch=Me(a,s,o);let d=this._constrainZoom(e.zoom,e),h=u&&t?.mode==="elastic";if(e.zoom=t?.mode==="preserve"?e.zoom:h?nl(e.zoom,d,MB):d,n){let p=this.makeViewport(e);Object.assign(e,p.panByPosition(n.position,n.screenPosition))}if(l&&(e.longitude<-180||e.longitude>180)&&(e.longitude=ep(e.longitude+180,360)-180),f){let p=yp(e.width,e.height,e.maxBoundsPadding),g=this.makeViewport({...e,bearing:0,pitch:0}),m=Cv(g,[e.longitude,e.latitude],p),y=ss(f[0]),v=ss(f[1]),_=2**e.zoom,b=[y[0]+m.left/_,y[1]+m.bottom/_],w=[v[0]-m.right/_,v[1]-m.top/_],P=ss([e.longitude,e.latitude]),L=[Me(P[0],b[0],w[0]),Me(P[1],b[1],w[1])],T=P.slice();if(p.width>=0&&(T[0]=t?.mode==="preserve"?P[0]:h?nl(P[0],L[0],p.width/2/_):L[0]),p.height>=0&&(T[1]=t?.mode==="preserve"?P[1]:h?nl(P[1],L[1],p.height/2/_):L[1]),T[0]!==P[0]||T[1]!==P[1]){let[C,S]=$e(T);T[0]!==P[0]&&(e.longitude=C),T[1]!==P[1]&&(e.latitude=S)}}return e}_constrainZoom(e,t){t||(t=this.getViewportProps());let{maxZoom:i,maxBounds:n}=t,o=n!==null&&t.width>0&&t.height>0,{minZoom:s}=t;if(o){let a=yp(t.width,t.height,t.maxBoundsPadding),c=ss(n[0]),l=ss(n[1]),f=l[0]-c[0],u=l[1]-c[1];a.width>0&&Number.isFinite(f)&&f>0&&(s=Math.max(s,Math.log2(a.width/f))),a.height>0&&Number.isFinite(u)&&u>0&&(s=Math.max(s,Math.log2(a.height/u))),s>i&&(s=i)}return Me(e,s,i)}_zoomFromCenter(e,t){let{width:i,height:n}=this.getViewportProps();return this.zoom({pos:[i/2,n/2],scale:e},t)}_panFromCenter(e,t){let{width:i,height:n}=this.getViewportProps();return this.pan({startPos:[i/2,n/2],pos:[i/2+e[0],n/2+e[1]]},t)}_getUpdatedState(e,t){return new this.constructor({makeViewport:this.makeViewport,...this.getViewportProps(),...this.getState(),...e,constraintContext:t})}_unproject(e){let t=this.makeViewport(this.getViewportProps());return e&&t.unproject(e)}_unproject3D(e,t){return this.makeViewport(this.getViewportProps()).unproject(e,{targetZ:t})}_getNewRotation(e,t,i,n){let o=e[0]-t[0],s=e[1]-t[1],a=e[1],c=t[1],{width:l,height:f}=this.getViewportProps(),u=o/l,d=0;s>0?Math.abs(f-c)>Av&&(d=s/(c-f)*AB):s<0&&c>Av&&(d=1-a/c),d=Me(d,-1,1);let{minPitch:h,maxPitch:p}=this.getViewportProps(),g=n+180*u,m=i;return d>0?m=i+d*(p-i):d<0&&(m=i-d*(h-i)),{pitch:m,bearing:g}}},gi=class extends ns{constructor(){super(...arguments),this.ControllerState=xp,this.transition={transitionDuration:300,transitionInterpolator:new di({transitionProps:{compare:["longitude","latitude","zoom","bearing","pitch","position"],required:["longitude","latitude","zoom"]}})},this.dragMode="pan",this.rotationPivot="center",this._getAltitude=e=>{if(this.rotationPivot==="2d")return 0;if(this.rotationPivot==="3d"&&this.pickPosition){let{x:t,y:i}=this.props,n=this.pickPosition(t+e[0],i+e[1]);if(n&&n.coordinate&&n.coordinate.length>=3)return n.coordinate[2]}}}setProps(e){"rotationPivot"in e&&(this.rotationPivot=e.rotationPivot||"center"),e.getAltitude=this._getAltitude,e.position=e.position||[0,0,0],e.maxBounds=e.maxBounds||(e.normalize===!1?null:Iv),super.setProps(e)}updateViewport(e,t=null,i={}){let n=e.getState();i.isDragging&&n.startRotateLngLat?i={...i,rotationPivotPosition:n.startRotateLngLat}:i.isDragging===!1&&(i={...i,rotationPivotPosition:void 0}),super.updateViewport(e,t,i)}};var ol=class extends ts{constructor(e={}){super(e)}getViewportType(){return xr}get ControllerType(){return gi}};ol.displayName="MapView";var sl=ol;var IB=new tn;function RB(r,e){let t=r.order??1/0,i=e.order??1/0;return t-i}var as=class{constructor(e){this._resolvedEffects=[],this._defaultEffects=[],this.effects=[],this._context=e,this._needsRedraw="Initial render",this._setEffects([])}addDefaultEffect(e){let t=this._defaultEffects;if(!t.find(i=>i.id===e.id)){let i=t.findIndex(n=>RB(n,e)>0);i<0?t.push(e):t.splice(i,0,e),e.setup(this._context),this._setEffects(this.effects)}}setProps(e){"effects"in e&&(te(e.effects,this.effects,1)||this._setEffects(e.effects))}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}getEffects(){return this._resolvedEffects}_setEffects(e){let t={};for(let n of this.effects)t[n.id]=n;let i=[];for(let n of e){let o=t[n.id],s=n;o&&o!==n?o.setProps?(o.setProps(n.props),s=o):o.cleanup(this._context):o||n.setup(this._context),i.push(s),delete t[n.id]}for(let n in t)t[n].cleanup(this._context);this.effects=i,this._resolvedEffects=i.concat(this._defaultEffects),e.some(n=>n instanceof tn)||this._resolvedEffects.push(IB),this._needsRedraw="effects changed"}finalize(){for(let e of this._resolvedEffects)e.cleanup(this._context);this.effects.length=0,this._resolvedEffects.length=0,this._defaultEffects.length=0}};var cs=class extends Zt{shouldDrawLayer(e){let{operation:t}=e.props;return t.includes("draw")||t.includes("terrain")}render(e){return this._render(e)}};var OB="deckRenderer.renderLayers",ls=class{constructor(e,t={}){this.device=e,this.stats=t.stats,this.layerFilter=null,this.drawPickingColors=!1,this.drawLayersPass=new cs(e),this.pickLayersPass=new ui(e),this.renderCount=0,this._needsRedraw="Initial render",this.renderBuffers=[],this.lastPostProcessEffect=null}setProps(e){this.layerFilter!==e.layerFilter&&(this.layerFilter=e.layerFilter,this._needsRedraw="layerFilter changed"),this.drawPickingColors!==e.drawPickingColors&&(this.drawPickingColors=e.drawPickingColors,this._needsRedraw="drawPickingColors changed")}renderLayers(e){let t=this.drawPickingColors?this.pickLayersPass:this.drawLayersPass,i={layerFilter:this.layerFilter,isPicking:this.drawPickingColors,...e};if(!e.viewports.length){let a=t.render(i),c="stats"in a?a.stats:a;this._updateStats(c);return}i.effects&&this._preRender(i.effects,i);let n=this.lastPostProcessEffect?this.renderBuffers[0]:i.target;this.lastPostProcessEffect&&(i.clearColor=[0,0,0,0],i.clearCanvas=!0);let o=t.render({...i,target:n}),s="stats"in o?o.stats:o;i.effects&&(this.lastPostProcessEffect&&(i.clearCanvas=e.clearCanvas===void 0?!0:e.clearCanvas),this._postRender(i.effects,i)),this.renderCount++,ee(OB,this,s,e),this._updateStats(s)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}finalize(){let{renderBuffers:e}=this;for(let t of e)t.delete();e.length=0}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:i}of e)t+=i;this.stats.get("Layers rendered").addCount(t)}_preRender(e,t){this.lastPostProcessEffect=null,t.preRenderStats=t.preRenderStats||{};for(let i of e)t.preRenderStats[i.id]=i.preRender(t),i.postRender&&(this.lastPostProcessEffect=i.id);this.lastPostProcessEffect&&this._resizeRenderBuffers(t.canvasContext)}_resizeRenderBuffers(e=this.device.canvasContext){let{renderBuffers:t}=this,i=e.getDrawingBufferSize(),[n,o]=i;t.length===0&&[0,1].map(s=>{let a=this.device.createTexture({sampler:{minFilter:"linear",magFilter:"linear"},width:n,height:o});t.push(this.device.createFramebuffer({id:`deck-renderbuffer-${s}`,colorAttachments:[a]}))});for(let s of t)s.resize(i)}_postRender(e,t){let{renderBuffers:i}=this,n=t.target??t.canvasContext?.getCurrentFramebuffer()??t.target,o={...t,inputBuffer:i[0],swapBuffer:i[1]};for(let s of e)if(s.postRender){o.target=s.id===this.lastPostProcessEffect?n:void 0;let a=s.postRender(o);o.inputBuffer=a,o.swapBuffer=a===i[0]?i[1]:i[0]}}};D();var BB={pickedColor:null,pickedObjectIndex:-1};function bp({pickedColors:r,decodePickingColor:e,deviceX:t,deviceY:i,deviceRadius:n,deviceRect:o}){let{x:s,y:a,width:c,height:l}=o,f=n*n,u=-1,d=0;for(let h=0;h<l;h++){let p=h+a-i,g=p*p;if(g>f)d+=4*c;else for(let m=0;m<c;m++){if(r[d+3]-1>=0){let v=m+s-t,_=v*v+g;_<=f&&(f=_,u=d)}d+=4}}if(u>=0){let h=r.slice(u,u+4),p=e(h);if(p){let g=Math.floor(u/4/c),m=u/4-g*c;return{...p,pickedColor:h,pickedX:s+m,pickedY:a+g}}B.error("Picked non-existent layer. Is picking buffer corrupt?")()}return BB}function vp({pickedColors:r,decodePickingColor:e}){let t=new Map;if(r){for(let i=0;i<r.length;i+=4)if(r[i+3]-1>=0){let o=r.slice(i,i+4),s=o.join(",");if(!t.has(s)){let a=e(o);a?t.set(s,{...a,color:o}):B.error("Picked non-existent layer. Is picking buffer corrupt?")()}}}return Array.from(t.values())}function al({pickInfo:r,viewports:e,pixelRatio:t,x:i,y:n,z:o}){let s=e[0];e.length>1&&(s=DB(r?.pickedViewports||e,{x:i,y:n}));let a;if(s){let c=[i-s.x,n-s.y];o!==void 0&&(c[2]=o),a=s.unproject(c)}return{color:null,layer:null,viewport:s,index:-1,picked:!1,x:i,y:n,pixel:[i,n],coordinate:a,devicePixel:r&&"pickedX"in r?[r.pickedX,r.pickedY]:void 0,pixelRatio:t}}function wp(r){let{pickInfo:e,lastPickedInfo:t,mode:i,layers:n}=r,{pickedColor:o,pickedLayer:s,pickedObjectIndex:a}=e,c=s?[s]:[];if(i==="hover"){let u=t.index,d=t.layerId,h=s?s.props.id:null;if(h!==d||a!==u){if(h!==d){let p=n.find(g=>g.props.id===d);p&&c.unshift(p)}t.layerId=h,t.index=a,t.info=null}}let l=al(r),f=new Map;return f.set(null,l),c.forEach(u=>{let d={...l};u===s&&(d.color=o,d.index=a,d.picked=!0),d=cl({layer:u,info:d,mode:i});let h=d.layer;u===s&&i==="hover"&&(t.info=d),f.set(h.id,d),i==="hover"&&h.updateAutoHighlight(d)}),f}function cl({layer:r,info:e,mode:t}){for(;r&&e;){let i=e.layer||null;e.sourceLayer=i,e.layer=r,e=r.getPickingInfo({info:e,mode:t,sourceLayer:i}),r=r.parent}return e}function DB(r,e){for(let t=r.length-1;t>=0;t--){let i=r[t];if(i.containsPixel(e))return i}return r[0]}var fs=class{constructor(e,t={}){this._pickable=!0,this.device=e,this.stats=t.stats,this.pickLayersPass=new ui(e),this.lastPickedInfo={index:-1,layerId:null,info:null}}setProps(e){"layerFilter"in e&&(this.layerFilter=e.layerFilter),"_pickable"in e&&(this._pickable=e._pickable)}finalize(){this.pickingFBO&&this.pickingFBO.destroy(),this.depthFBO&&this.depthFBO.destroy()}pickObjectAsync(e){return this._pickClosestObjectAsync(e)}pickObjectsAsync(e){return this._pickVisibleObjectsAsync(e)}pickObject(e){return this._pickClosestObject(e)}pickObjects(e){return this._pickVisibleObjects(e)}getLastPickedObject({x:e,y:t,layers:i,viewports:n},o=this.lastPickedInfo.info){let s=o&&o.layer&&o.layer.id,a=o&&o.viewport&&o.viewport.id,c=s?i.find(d=>d.id===s):null,l=a&&n.find(d=>d.id===a)||n[0],f=l&&l.unproject([e-l.x,t-l.y]);return{...o,...{x:e,y:t,viewport:l,coordinate:f,layer:c}}}_resizeBuffer(e=this.device.getDefaultCanvasContext()){if(!this.pickingFBO){let n=this.device.createTexture({format:"rgba8unorm",width:1,height:1,usage:V.RENDER_ATTACHMENT|V.COPY_SRC});if(this.pickingFBO=this.device.createFramebuffer({colorAttachments:[n],depthStencilAttachment:"depth16unorm"}),this.device.isTextureFormatRenderable("rgba32float")){let o=this.device.createTexture({format:"rgba32float",width:1,height:1,usage:V.RENDER_ATTACHMENT|V.COPY_SRC}),s=this.device.createFramebuffer({colorAttachments:[o],depthStencilAttachment:"depth16unorm"});this.depthFBO=s}}let[t,i]=e.getDrawingBufferSize();this.pickingFBO?.resize({width:t,height:i}),this.depthFBO?.resize({width:t,height:i})}_getPickable(e){if(this._pickable===!1)return null;let t=e.filter(i=>this.pickLayersPass.shouldDrawLayer(i)&&!i.isComposite);return t.length?t:null}async _pickClosestObjectAsync({layers:e,views:t,viewports:i,x:n,y:o,radius:s=0,depth:a=1,mode:c="query",unproject3D:l,canvasContext:f=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let h=f.cssToDeviceRatio(),p=this._getPickable(e);if(!p||i.length===0)return{result:[],emptyInfo:al({viewports:i,x:n,y:o,pixelRatio:h})};this._resizeBuffer(f);let g=f.cssToDevicePixels([n,o],!0),m=[g.x+Math.floor(g.width/2),g.y+Math.floor(g.height/2)],y=Math.round(s*h),{width:v,height:_}=this.pickingFBO,b=this._getPickingRect({deviceX:m[0],deviceY:m[1],deviceRadius:y,deviceWidth:v,deviceHeight:_}),w={x:n-s,y:o-s,width:s*2+1,height:s*2+1},P,L=[],T=new Set;for(let C=0;C<a;C++){let S;if(b){let A=await this._drawAndSampleAsync({layers:p,views:t,viewports:i,onViewportActive:u,deviceRect:b,cullRect:w,effects:d,pass:`picking:${c}`,canvasContext:f});S=bp({...A,deviceX:m[0],deviceY:m[1],deviceRadius:y,deviceRect:b})}else S={pickedColor:null,pickedObjectIndex:-1};let R,I=this._getDepthLayers(S,p,l);if(I.length>0){let{pickedColors:A}=await this._drawAndSampleAsync({layers:I,views:t,viewports:i,onViewportActive:u,deviceRect:{x:S.pickedX??m[0],y:S.pickedY??m[1],width:1,height:1},cullRect:w,effects:d,pass:`picking:${c}:z`,canvasContext:f},!0);A[3]&&(R=A[0])}S.pickedLayer&&C+1<a&&(T.add(S.pickedLayer),S.pickedLayer.disablePickingIndex(S.pickedObjectIndex)),P=wp({pickInfo:S,lastPickedInfo:this.lastPickedInfo,mode:c,layers:p,viewports:i,x:n,y:o,z:R,pixelRatio:h});for(let A of P.values())A.layer&&L.push(A);if(!S.pickedColor)break}for(let C of T)C.restorePickingColors();return{result:L,emptyInfo:P.get(null)}}_pickClosestObject({layers:e,views:t,viewports:i,x:n,y:o,radius:s=0,depth:a=1,mode:c="query",unproject3D:l,canvasContext:f=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let h=f.cssToDeviceRatio(),p=this._getPickable(e);if(!p||i.length===0)return{result:[],emptyInfo:al({viewports:i,x:n,y:o,pixelRatio:h})};this._resizeBuffer(f);let g=f.cssToDevicePixels([n,o],!0),m=[g.x+Math.floor(g.width/2),g.y+Math.floor(g.height/2)],y=Math.round(s*h),{width:v,height:_}=this.pickingFBO,b=this._getPickingRect({deviceX:m[0],deviceY:m[1],deviceRadius:y,deviceWidth:v,deviceHeight:_}),w={x:n-s,y:o-s,width:s*2+1,height:s*2+1},P,L=[],T=new Set;for(let C=0;C<a;C++){let S;if(b){let A=this._drawAndSample({layers:p,views:t,viewports:i,onViewportActive:u,deviceRect:b,cullRect:w,effects:d,pass:`picking:${c}`,canvasContext:f});S=bp({...A,deviceX:m[0],deviceY:m[1],deviceRadius:y,deviceRect:b})}else S={pickedColor:null,pickedObjectIndex:-1};let R,I=this._getDepthLayers(S,p,l);if(I.length>0){let{pickedColors:A}=this._drawAndSample({layers:I,views:t,viewports:i,onViewportActive:u,deviceRect:{x:S.pickedX??m[0],y:S.pickedY??m[1],width:1,height:1},cullRect:w,effects:d,pass:`picking:${c}:z`,canvasContext:f},!0);A[3]&&(R=A[0])}S.pickedLayer&&C+1<a&&(T.add(S.pickedLayer),S.pickedLayer.disablePickingIndex(S.pickedObjectIndex)),P=wp({pickInfo:S,lastPickedInfo:this.lastPickedInfo,mode:c,layers:p,viewports:i,x:n,y:o,z:R,pixelRatio:h});for(let A of P.values())A.layer&&L.push(A);if(!S.pickedColor)break}for(let C of T)C.restorePickingColors();return{result:L,emptyInfo:P.get(null)}}async _pickVisibleObjectsAsync({layers:e,views:t,viewports:i,x:n,y:o,width:s=1,height:a=1,mode:c="query",maxObjects:l=null,canvasContext:f=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let h=this._getPickable(e);if(!h||i.length===0)return[];this._resizeBuffer(f);let p=f.cssToDeviceRatio(),g=f.cssToDevicePixels([n,o],!0),m=g.x,y=g.y+g.height,v=f.cssToDevicePixels([n+s,o+a],!0),_=v.x+v.width,b=v.y,w={x:m,y:b,width:_-m,height:y-b},P=await this._drawAndSampleAsync({layers:h,views:t,viewports:i,onViewportActive:u,deviceRect:w,cullRect:{x:n,y:o,width:s,height:a},effects:d,pass:`picking:${c}`,canvasContext:f}),L=vp(P),T=new Map,C=[],S=Number.isFinite(l);for(let R=0;R<L.length&&!(S&&C.length>=l);R++){let I=L[R],A={color:I.pickedColor,layer:null,index:I.pickedObjectIndex,picked:!0,x:n,y:o,pixelRatio:p};A=cl({layer:I.pickedLayer,info:A,mode:c});let O=A.layer.id;T.has(O)||T.set(O,new Set);let W=T.get(O),z=A.object??A.index;W.has(z)||(W.add(z),C.push(A))}return C}_pickVisibleObjects({layers:e,views:t,viewports:i,x:n,y:o,width:s=1,height:a=1,mode:c="query",maxObjects:l=null,canvasContext:f=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let h=this._getPickable(e);if(!h||i.length===0)return[];this._resizeBuffer(f);let p=f.cssToDeviceRatio(),g=f.cssToDevicePixels([n,o],!0),m=g.x,y=g.y+g.height,v=f.cssToDevicePixels([n+s,o+a],!0),_=v.x+v.width,b=v.y,w={x:m,y:b,width:_-m,height:y-b},P=this._drawAndSample({layers:h,views:t,viewports:i,onViewportActive:u,deviceRect:w,cullRect:{x:n,y:o,width:s,height:a},effects:d,pass:`picking:${c}`,canvasContext:f}),L=vp(P),T=new Map,C=[],S=Number.isFinite(l);for(let R=0;R<L.length&&!(S&&C.length>=l);R++){let I=L[R],A={color:I.pickedColor,layer:null,index:I.pickedObjectIndex,picked:!0,x:n,y:o,pixelRatio:p};A=cl({layer:I.pickedLayer,info:A,mode:c});let O=A.layer.id;T.has(O)||T.set(O,new Set);let W=T.get(O),z=A.object??A.index;W.has(z)||(W.add(z),C.push(A))}return C}async _drawAndSampleAsync({layers:e,views:t,viewports:i,onViewportActive:n,deviceRect:o,cullRect:s,effects:a,pass:c,canvasContext:l},f=!1){let u=f?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:i,onViewportActive:n,pickingFBO:u,deviceRect:o,cullRect:s,effects:a,pass:c,canvasContext:l,pickZ:f,preRenderStats:{},isPicking:!0};for(let w of a)w.useInPicking&&(d.preRenderStats[w.id]=w.preRender(d));let{decodePickingColor:h,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:g,y:m,width:y,height:v}=o,_=u.colorAttachments[0]?.texture;if(!_)throw new Error("Picking framebuffer color attachment is missing");let b=await this._readTextureDataAsync(_,{x:g,y:m,width:y,height:v},f?Float32Array:Uint8Array);if(!f){let w=!1;for(let P=3;P<b.length;P+=4)if(b[P]!==0){w=!0;break}!w&&b.length>0&&B.warn("Async pick readback returned only zero alpha values",{deviceRect:o,bytes:Array.from(b.subarray(0,Math.min(b.length,16)))})()}return{pickedColors:b,decodePickingColor:h}}async _readTextureDataAsync(e,t,i){let{width:n,height:o}=t,s=e.computeMemoryLayout(t),a=this.device.createBuffer({byteLength:s.byteLength,usage:F.COPY_DST|F.MAP_READ});try{e.readBuffer(t,a);let c=await a.readAsync(0,s.byteLength),l=i.BYTES_PER_ELEMENT;if(s.bytesPerRow%l!==0)throw new Error(`Texture readback row stride ${s.bytesPerRow} is not aligned to ${l}-byte elements.`);let f=new i(c.buffer,c.byteOffset,s.byteLength/l),u=n*4,d=s.bytesPerRow/l;if(d<u)throw new Error(`Texture readback row stride ${d} is smaller than packed row length ${u}.`);let h=new i(n*o*4);for(let p=0;p<o;p++){let g=p*d;h.set(f.subarray(g,g+u),p*u)}return h}finally{a.destroy()}}_drawAndSample({layers:e,views:t,viewports:i,onViewportActive:n,deviceRect:o,cullRect:s,effects:a,pass:c,canvasContext:l},f=!1){let u=f?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:i,onViewportActive:n,pickingFBO:u,deviceRect:o,cullRect:s,effects:a,pass:c,canvasContext:l,pickZ:f,preRenderStats:{},isPicking:!0};for(let b of a)b.useInPicking&&(d.preRenderStats[b.id]=b.preRender(d));let{decodePickingColor:h,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:g,y:m,width:y,height:v}=o,_=new(f?Float32Array:Uint8Array)(y*v*4);return this.device.readPixelsToArrayWebGL(u,{sourceX:g,sourceY:m,sourceWidth:y,sourceHeight:v,target:_}),{pickedColors:_,decodePickingColor:h}}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:i}of e)t+=i;this.stats.get("Layers picked").addCount(t)}_getDepthLayers(e,t,i){if(!i||!this.depthFBO)return[];let{pickedLayer:n}=e,o=n?.state?.terrainDrawMode==="drape";return n&&!o?[n]:t.filter(s=>s.props.operation.includes("terrain"))}_getPickingRect({deviceX:e,deviceY:t,deviceRadius:i,deviceWidth:n,deviceHeight:o}){let s=Math.max(0,e-i),a=Math.max(0,t-i),c=Math.min(n,e+i+1)-s,l=Math.min(o,t+i+1)-a;return c<=0||l<=0?null:{x:s,y:a,width:c,height:l}}};var kB={"top-left":{top:0,left:0},"top-right":{top:0,right:0},"bottom-left":{bottom:0,left:0},"bottom-right":{bottom:0,right:0},fill:{top:0,left:0,bottom:0,right:0}},NB="top-left",Rv="root",ll=class{constructor({deck:e,parentElement:t}){this.defaultWidgets=[],this.widgets=[],this.resolvedWidgets=[],this.containers={},this.lastViewports={},this.deck=e,t?.classList.add("deck-widget-container"),this.parentElement=t}getWidgets(){return this.resolvedWidgets}setProps(e){if(e.widgets&&!te(e.widgets,this.widgets,1)){let t=e.widgets.filter(Boolean);this._setWidgets(t)}}finalize(){for(let e of this.getWidgets())this._removeWidget(e);this.defaultWidgets.length=0,this.resolvedWidgets.length=0;for(let e in this.containers)this.containers[e].remove()}addDefault(e){this.defaultWidgets.find(t=>t.id===e.id)||(this._addWidget(e),this.defaultWidgets.push(e),this._setWidgets(this.widgets))}onRedraw({viewports:e,layers:t}){let i=e.reduce((n,o)=>(n[o.id]=o,n),{});for(let n of this.getWidgets()){let{viewId:o}=n;if(o){let s=i[o];s&&(n.onViewportChange&&n.onViewportChange(s),n.onRedraw?.({viewports:[s],layers:t}))}else{if(n.onViewportChange)for(let s of e)n.onViewportChange(s);n.onRedraw?.({viewports:e,layers:t})}}this.lastViewports=i,this._updateContainers()}onHover(e,t){for(let i of this.getWidgets()){let{viewId:n}=i;(!n||n===e.viewport?.id)&&i.onHover?.(e,t)}}getCanvasBounds(e){let i=this.deck?.getCanvas?.()?.getBoundingClientRect(),n=this.parentElement?.getBoundingClientRect(),o=this.deck?.getCanvasContext?.(e?.id);if(o&&n){o.updatePosition();let[s,a]=o.getPosition(),[c,l]=o.getCSSSize();return{x:s-n.left,y:a-n.top,width:c,height:l}}return{x:i&&n?i.left-n.left:0,y:i&&n?i.top-n.top:0,width:i?.width||this.deck?.width||0,height:i?.height||this.deck?.height||0}}onEvent(e,t){let i=Ki[t.type];if(i)for(let n of this.getWidgets()){let{viewId:o}=n;(!o||o===e.viewport?.id)&&n[i]?.(e,t)}}_setWidgets(e){let t={};for(let i of this.resolvedWidgets)t[i.id]=i;this.resolvedWidgets.length=0;for(let i of this.defaultWidgets)t[i.id]=null,this.resolvedWidgets.push(i);for(let i of e){let n=t[i.id];n?n.viewId!==i.viewId||n.placement!==i.placement?(this._removeWidget(n),this._addWidget(i)):i!==n&&(n.setProps(i.props),i=n):this._addWidget(i),t[i.id]=null,this.resolvedWidgets.push(i)}for(let i in t){let n=t[i];n&&this._removeWidget(n)}this.widgets=e}_addWidget(e){let{viewId:t=null,placement:i=NB}=e,n=e.props._container??t;e.widgetManager=this,e.deck=this.deck,e.rootElement=e._onAdd({deck:this.deck,viewId:t}),e.rootElement&&this._getContainer(n,i).append(e.rootElement),e.updateHTML()}_removeWidget(e){e.onRemove?.(),e.rootElement&&e.rootElement.remove(),e.rootElement=void 0,e.deck=void 0,e.widgetManager=void 0}_getContainer(e,t){if(e&&typeof e!="string")return e;let i=e||Rv,n=this.containers[i];n||(n=document.createElement("div"),n.style.pointerEvents="none",n.style.position="absolute",n.style.overflow="hidden",this.parentElement?.append(n),this.containers[i]=n);let o=n.querySelector(`.${t}`);return o||(o=globalThis.document.createElement("div"),o.className=t,o.style.position="absolute",o.style.zIndex="2",Object.assign(o.style,kB[t]),n.append(o)),o}_updateContainers(){for(let e in this.containers){let t=this.lastViewports[e]||null,i=e===Rv||t,n=this.containers[e];if(i){let o=this._getContainerBounds(t);n.style.display="block",n.style.left=`${o.x}px`,n.style.top=`${o.y}px`,n.style.width=`${o.width}px`,n.style.height=`${o.height}px`}else n.style.display="none"}}_getContainerBounds(e){if(!e)return{x:0,y:0,width:this.parentElement?.clientWidth||this.deck.width,height:this.parentElement?.clientHeight||this.deck.height};let t=this.getCanvasBounds(e);return{x:t.x+e.x,y:t.y+e.y,width:e.width,height:e.height}}};function Pp(r,e){e&&Object.entries(e).map(([t,i])=>{t.startsWith("--")?r.style.setProperty(t,i):r.style[t]=i})}function Ov(r,e){e&&Object.keys(e).map(t=>{t.startsWith("--")?r.style.removeProperty(t):r.style[t]=""})}var pn=class{constructor(e){this.viewId=null,this.props={...this.constructor.defaultProps,...e},this.id=this.props.id}setProps(e){let t=this.props,i=this.rootElement;i&&t.className!==e.className&&(t.className&&i.classList.remove(t.className),e.className&&i.classList.add(e.className)),i&&!te(t.style,e.style,1)&&(Ov(i,t.style),Pp(i,e.style)),Object.assign(this.props,e),this.updateHTML()}updateHTML(){this.rootElement&&this.onRenderHTML(this.rootElement)}get viewIds(){return this.viewId?[this.viewId]:this.deck?.getViews().map(e=>e.id)??[]}getViewState(e){return this.deck?.viewManager?.getViewState(e)||{}}setViewState(e,t){this.deck?._onViewStateChange({viewId:e,viewState:t,interactionState:{}})}onCreateRootElement(){let e=["deck-widget",this.className,this.props.className],t=document.createElement("div");return e.filter(i=>typeof i=="string"&&i.length>0).forEach(i=>t.classList.add(i)),Pp(t,this.props.style),t}_onAdd(e){return this.onAdd(e)??this.onCreateRootElement()}onAdd(e){}onRemove(){}onViewportChange(e){}onRedraw(e){}onHover(e,t){}onClick(e,t){}onDrag(e,t){}onDragStart(e,t){}onDragEnd(e,t){}};pn.defaultProps={id:"widget",style:{},_container:null,className:""};var FB={zIndex:"1",position:"absolute",pointerEvents:"none",color:"#a0a7b4",backgroundColor:"#29323c",padding:"10px",top:"0",left:"0",display:"none"},us=class extends pn{constructor(e={}){super(e),this.id="default-tooltip",this.placement="fill",this.className="deck-tooltip",this.isVisible=!1,this.setProps(e)}onCreateRootElement(){let e=document.createElement("div");return e.className=this.className,Object.assign(e.style,FB),e}onRenderHTML(e){}onViewportChange(e){this.isVisible&&e.id===this.lastViewport?.id&&!e.equals(this.lastViewport)&&this.setTooltip(null),this.lastViewport=e}onHover(e){let{deck:t}=this,i=t&&t.props.getTooltip;if(!i)return;let n=i(e),o=this.widgetManager?.getCanvasBounds(e.viewport),s=e.x+(o?.x||0),a=e.y+(o?.y||0);this.setTooltip(n,s,a)}setTooltip(e,t,i){let n=this.rootElement;if(n){if(typeof e=="string")n.innerText=e;else if(e)e.text&&(n.innerText=e.text),e.html&&(n.innerHTML=e.html),e.className&&(n.className=e.className);else{this.isVisible=!1,n.style.display="none";return}this.isVisible=!0,n.style.display="block",n.style.transform=`translate(${t}px, ${i}px)`,e&&typeof e=="object"&&"style"in e&&Object.assign(n.style,e.style)}}};us.defaultProps={...pn.defaultProps};var ds=class{constructor(e){this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap,this._createEventManager=e.createEventManager,this._getEventRoot=e.getEventRoot}finalize(){for(let e of Object.values(this.targets))e.eventManager.destroy(),e.presentationContext.destroy();this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap}syncCanvasEntries(e){let t=this._normalizeCanvasList(e.canvases),i={},n=[],o=new Map;for(let{canvas:a}of t){let c=this._getEventRoot(a);o.set(c,(o.get(c)||0)+1)}for(let{id:a,canvas:c}of t){let l=this._getEventRoot(c),f=o.get(l)===1?l:c,u=this.targets[a];if(!u||u.device!==e.device||u.canvas!==c||u.eventRoot!==f){u?.eventManager.destroy(),u?.presentationContext.destroy();let d=e.device.createPresentationContext({id:a,canvas:c,useDevicePixels:e.useDevicePixels,autoResize:!0});u={id:a,device:e.device,canvas:c,eventRoot:f,presentationContext:d,eventManager:this._createEventManager(f)}}this._eventRootToCanvasId.set(f,a),this._eventRootToCanvasId.set(c,a),i[a]=u,n.push(a)}for(let[a,c]of Object.entries(this.targets))i[a]||(c.eventManager.destroy(),c.presentationContext.destroy());this.targets=i,this.order=n;let s=Object.fromEntries(Object.entries(i).map(([a,c])=>[a,c.eventManager]));this._haveSameEventManagers(s)||(this.eventManagers=s)}getCanvasIdFromEvent(e){return e?this._eventRootToCanvasId.get(e):void 0}getTarget(e){return this.targets[e||this.order[0]||vr]||null}_normalizeCanvasList(e=[]){let t=new Set;return e.map((i,n)=>{let o,s;return typeof i=="string"?(o=document.getElementById(i),$(o,`Canvas with id ${i} not found`),s=i):(o=i,s=o.id||`deckgl-canvas-${n}`),$(!t.has(s),`Duplicate canvas id ${s}`),t.add(s),{id:s,canvas:o}})}_haveSameEventManagers(e){let t=Object.keys(e),i=Object.keys(this.eventManagers);return t.length===i.length&&t.every(n=>e[n]===this.eventManagers[n])}};D();Gl();q();q();Un();function Kt(){}var Z4=({isDragging:r})=>r?"grabbing":"grab",oP={id:"",width:"100%",height:"100%",style:null,viewState:null,initialViewState:null,pickingRadius:0,pickAsync:"auto",layerFilter:null,parameters:{},parent:null,device:null,deviceProps:{},gl:null,canvas:null,_canvases:null,layers:[],effects:[],views:null,controller:null,useDevicePixels:!0,touchAction:"none",eventRecognizerOptions:{},_framebuffer:null,_animate:!1,_pickable:!0,_typedArrayManagerProps:{},_customRender:null,widgets:[],onDeviceInitialized:Kt,onWebGLInitialized:Kt,onResize:Kt,onViewStateChange:Kt,onInteractionStateChange:Kt,onBeforeRender:Kt,onAfterRender:Kt,onLoad:Kt,onError:r=>B.error(r.message,r.cause)(),onHover:null,onClick:null,onDragStart:null,onDrag:null,onDragEnd:null,_onMetrics:null,getCursor:Z4,getTooltip:null,debug:!1,drawPickingColors:!1},Es=class{constructor(e){this.width=0,this.height=0,this.userData={},this.device=null,this.canvas=null,this.viewManager=null,this.layerManager=null,this.effectManager=null,this.deckRenderer=null,this.deckPicker=null,this.eventManager=null,this.eventManagers={},this.widgetManager=null,this.tooltip=null,this.animationLoop=null,this._canvasContext=null,this._deviceResizeHandler=null,this.cursorState={isHovering:!1,isDragging:!1},this.stats=new Ze({id:"deck.gl"}),this.metrics={fps:0,setPropsTime:0,layersCount:0,drawLayersCount:0,updateLayersCount:0,updateAttributesCount:0,updateAttributesTime:0,framesRedrawn:0,pickTime:0,pickCount:0,pickLayersCount:0,gpuTime:0,gpuTimePerFrame:0,cpuTime:0,cpuTimePerFrame:0,bufferMemory:0,textureMemory:0,renderbufferMemory:0,gpuMemory:0},this._metricsCounter=0,this._hoverPickSequence=0,this._pointerDownPickSequence=0,this._needsRedraw="Initial render",this._canvasManager=new ds({createEventManager:n=>this._createEventManager(n),getEventRoot:n=>this._getEventRoot(n)}),this._ownedCanvas=null,this._pickRequest={mode:"hover",x:-1,y:-1,radius:0,canvasId:void 0,event:null,unproject3D:!1},this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this._onPointerMove=n=>{let{_pickRequest:o}=this,s=this._getCanvasIdFromEvent(n);if(n.type==="pointerleave")o.x=-1,o.y=-1,o.radius=0,o.canvasId=s;else{if(n.leftButton||n.rightButton)return;{let a=n.offsetCenter;if(!a)return;o.x=a.x,o.y=a.y,o.radius=this.props.pickingRadius,o.canvasId=s}}this.layerManager&&(this.layerManager.context.mousePosition={x:o.x,y:o.y}),o.event=n},this._onEvent=n=>{let o=Ki[n.type],s=n.offsetCenter,a=this._getCanvasIdFromEvent(n);if(!o||!s||!this.layerManager)return;let c=this.layerManager.getLayers(),l=this._getInternalPickingMode();if(!l)return;if(l==="sync"){let u=n.type==="click"&&this._shouldUnproject3D(c)?this._getFirstPickedInfo(this._pickPointSync(this._getPointPickOptions(s.x,s.y,{unproject3D:!0,canvasId:a},c))):this._getLastPointerDownPickingInfo(s.x,s.y,a,c);this._dispatchPickingEvent(u,n);return}(this._lastPointerDownInfoPromise||Promise.resolve(this._getLastPointerDownPickingInfo(s.x,s.y,a,c))).then(u=>{this._dispatchPickingEvent(u,n)}).catch(u=>this.props.onError?.(u))},this._onPointerDown=n=>{let o=n.offsetCenter,s=this._getCanvasIdFromEvent(n);if(!o)return;let a=this._getInternalPickingMode();if(!a)return;let c=this.layerManager?.getLayers()||[],l=++this._pointerDownPickSequence;if(a==="sync"){let u=this._pickPointSync({x:o.x,y:o.y,canvasId:s,radius:this.props.pickingRadius}),d=this._getFirstPickedInfo(u);this._lastPointerDownInfo=d,this._lastPointerDownInfoPromise=Promise.resolve(d);return}let f=this._pickPointAsync(this._getPointPickOptions(o.x,o.y,{canvasId:s},c)).then(u=>this._getFirstPickedInfo(u)).then(u=>(l===this._pointerDownPickSequence&&(this._lastPointerDownInfo=u),u)).catch(u=>{this.props.onError?.(u);let d=this.deckPicker&&this.viewManager?this._getLastPointerDownPickingInfo(o.x,o.y,s,c):{};return l===this._pointerDownPickSequence&&(this._lastPointerDownInfo=d),d});this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=f};let t=e;this.props={...oP,...e},e=this.props,this._validateCanvasConfiguration(e),e.viewState&&e.initialViewState&&B.warn("View state tracking is disabled. Use either `initialViewState` for auto update or `viewState` for manual update.")(),this.viewState=this.props.initialViewState,e.device&&(this.device=e.device,this._setDeviceCanvasContext(e.device));let i=this.device;!i&&e.gl&&(e.gl instanceof WebGLRenderingContext&&B.error("WebGL1 context not supported.")(),i=Ps.attach(e.gl,{_cacheShaders:!0,_cachePipelines:!0,...this.props.deviceProps})),i||(i=this._createDevice(e)),this.animationLoop=this._createAnimationLoop(i,e),this.setProps(t),e._typedArrayManagerProps&&ft.setOptions(e._typedArrayManagerProps),this.animationLoop.start()}finalize(){this._restoreDeviceResizeHandler(),this.animationLoop?.stop(),this.animationLoop?.destroy(),this.animationLoop=null,this._hoverPickSequence++,this._pointerDownPickSequence++,this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this.layerManager?.finalize(),this.layerManager=null,this.viewManager?.finalize(),this.viewManager=null,this.effectManager?.finalize(),this.effectManager=null,this.deckRenderer?.finalize(),this.deckRenderer=null,this.deckPicker?.finalize(),this.deckPicker=null,Object.keys(this._canvasManager.targets).length||this.eventManager?.destroy(),this.eventManager=null,this.eventManagers={},this.widgetManager?.finalize(),this.widgetManager=null,this._canvasManager.finalize(),this._isMultiCanvasMode()?this.canvas=null:this.canvas&&this.canvas===this._ownedCanvas&&(this.canvas.parentElement?.removeChild(this.canvas),this.canvas=null,this._ownedCanvas=null),this._canvasContext=null}setProps(e){this.stats.get("setProps Time").timeStart(),"onLayerHover"in e&&B.removed("onLayerHover","onHover")(),"onLayerClick"in e&&B.removed("onLayerClick","onClick")(),e.initialViewState&&!te(this.props.initialViewState,e.initialViewState,3)&&(this.viewState=e.initialViewState),$(!("_canvases"in e)||Array.isArray(e._canvases)===this._isMultiCanvasMode()),Object.assign(this.props,e),this._validateCanvasConfiguration(this.props),this._validateInternalPickingMode(),this.device&&this._isMultiCanvasMode()&&this._syncCanvasTargets(),this._setCanvasSize(this.props);let t=Object.create(this.props);if(Object.assign(t,{views:this._getViews(),width:this.width,height:this.height,viewState:this._getViewState(),eventManagers:this.eventManagers}),e.device&&e.device.id!==this.device?.id){let i=e.device.getDefaultCanvasContext();this.animationLoop?.stop(),!this._isMultiCanvasMode()&&this.canvas!==i.canvas&&(this.canvas?.remove(),this.eventManager?.destroy(),this.canvas=null),this._setDeviceCanvasContext(e.device),B.log(`recreating animation loop for new device! id=${e.device.id}`)(),this.animationLoop=this._createAnimationLoop(e.device,e),this.animationLoop.start()}if(this.animationLoop?.setProps(t),e.useDevicePixels!==void 0&&this._canvasContext?.setProps){this._canvasContext.setProps({useDevicePixels:e.useDevicePixels});for(let i of Object.values(this._canvasManager.targets))i.presentationContext.setProps({useDevicePixels:e.useDevicePixels})}this.layerManager&&(this.viewManager.setProps(t),this.layerManager.activateViewport(this.getViewports()[0]),this.layerManager.setProps(t),this.effectManager.setProps(t),this.deckRenderer.setProps(t),this.deckPicker.setProps(t),this.widgetManager.setProps(t)),this.stats.get("setProps Time").timeEnd()}needsRedraw(e={clearRedrawFlags:!1}){if(!this.layerManager)return!1;if(this.props._animate)return"Deck._animate";let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);let i=this.viewManager.needsRedraw(e),n=this.layerManager.needsRedraw(e),o=this.effectManager.needsRedraw(e),s=this.deckRenderer.needsRedraw(e);return t=t||i||n||o||s,t}redraw(e){if(!this.layerManager)return;let t=this.needsRedraw({clearRedrawFlags:!0});t=e||t,t&&(this.stats.get("Redraw Count").incrementCount(),this.props._customRender?this.props._customRender(t):this._drawLayers(t))}get isInitialized(){return this.viewManager!==null}getViews(){return $(this.viewManager),this.viewManager.views}getView(e){return $(this.viewManager),this.viewManager.getView(e)}getViewports(e){return $(this.viewManager),this.viewManager.getViewports(e)}getCanvas(){return this.canvas}getCanvasContext(e){let t=e?this.viewManager?.getView(e)?.props.canvasId:void 0;return this._getCanvasContext(t)}getEventManager(e){if(!e||!this.viewManager)return this.eventManager;let t=this.viewManager.getCanvasId(e)||vr;return this.eventManagers[t]||this.eventManager}async pickObjectAsync(e){let t=(await this._pickAsync("pickObjectAsync","pickObject Time",e)).result;return t.length?t[0]:null}async pickObjectsAsync(e){return await this._pickAsync("pickObjectsAsync","pickObjects Time",e)}pickObject(e){let t=this._pick("pickObject","pickObject Time",e).result;return t.length?t[0]:null}pickMultipleObjects(e){return e.depth=e.depth||10,this._pick("pickObject","pickMultipleObjects Time",e).result}pickObjects(e){return this._pick("pickObjects","pickObjects Time",e)}_pickPositionForController(e,t,i){return this._getInternalPickingMode()!=="sync"?null:this.pickObject({x:e,y:t,radius:0,unproject3D:!0,canvasId:i?this.viewManager?.getCanvasId(i):void 0})}_addResources(e,t=!1){for(let i in e)this.layerManager.resourceManager.add({resourceId:i,data:e[i],forceUpdate:t})}_removeResources(e){for(let t of e)this.layerManager.resourceManager.remove(t)}_addDefaultEffect(e){this.effectManager.addDefaultEffect(e)}_addDefaultShaderModule(e){this.layerManager.addDefaultShaderModule(e)}_removeDefaultShaderModule(e){this.layerManager?.removeDefaultShaderModule(e)}_resolveInternalPickingMode(){let{pickAsync:e}=this.props,t=this.device?.type||this.props.deviceProps?.type;if(e==="auto")return t==="webgpu"?"async":"sync";if(e==="sync"&&t==="webgpu")throw new Error('`pickAsync: "sync"` is not supported when Deck is using a WebGPU device.');return e}_getInternalPickingMode(){try{return this._resolveInternalPickingMode()}catch(e){return this.props.onError?.(e),null}}_validateInternalPickingMode(){this._getInternalPickingMode()}_getFirstPickedInfo({result:e,emptyInfo:t}){return e[0]||t}_shouldUnproject3D(e=this.layerManager?.getLayers()||[]){return e.some(t=>t.props.pickable==="3d")}_getPointPickOptions(e,t,i={},n=this.layerManager?.getLayers()||[]){return{x:e,y:t,canvasId:i.canvasId,radius:this.props.pickingRadius,unproject3D:this._shouldUnproject3D(n),...i}}_pickPointSync(e){return this._pick("pickObject","pickObject Time",e)}_pickPointAsync(e){return this._pickAsync("pickObjectAsync","pickObject Time",e)}_getLastPointerDownPickingInfo(e,t,i,n=this.layerManager?.getLayers()||[]){return this.deckPicker.getLastPickedObject({x:e,y:t,layers:n,viewports:this.getViewports({x:e,y:t,canvasId:i})},this._lastPointerDownInfo)}_applyHoverCallbacks({result:e,emptyInfo:t},i){if(!this.widgetManager)return;this.cursorState.isHovering=e.length>0;let n=t,o=!1;for(let s of e)n=s,o=s.layer?.onHover(s,i)||o;o||(this.props.onHover?.(n,i),this.widgetManager.onHover(n,i))}_dispatchPickingEvent(e,t){if(!this.layerManager||!this.widgetManager)return;let i=Ki[t.type];if(!i)return;let{layer:n}=e,o=n&&(n[i]||n.props[i]),s=this.props[i],a=!1;o&&(a=o.call(n,e,t)),a||(s?.(e,t),this.widgetManager.onEvent(e,t))}_pickAsync(e,t,i){$(this.deckPicker);let{stats:n}=this,o=this._isMultiCanvasMode()?i.canvasId||this._getDefaultCanvasId():i.canvasId,s=this._getCanvasContext(o)||void 0;n.get("Pick Count").incrementCount(),n.get(t).timeStart(),this._resizeForCanvasTarget(o);let a=this.deckPicker[e]({layers:this.layerManager.getLayers(i),views:this.viewManager.getViews(),viewports:this.getViewports({...i,canvasId:o}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...i,canvasId:o,canvasContext:s});return n.get(t).timeEnd(),a}_pick(e,t,i){$(this.deckPicker);let{stats:n}=this,o=this._isMultiCanvasMode()?i.canvasId||this._getDefaultCanvasId():i.canvasId,s=this._getCanvasContext(o)||void 0;n.get("Pick Count").incrementCount(),n.get(t).timeStart(),this._resizeForCanvasTarget(o);let a=this.deckPicker[e]({layers:this.layerManager.getLayers(i),views:this.viewManager.getViews(),viewports:this.getViewports({...i,canvasId:o}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...i,canvasId:o,canvasContext:s});return n.get(t).timeEnd(),a}_createCanvas(e){let t=e.canvas;return typeof t=="string"&&(t=document.getElementById(t),$(t)),t?this._ownedCanvas=null:(t=document.createElement("canvas"),t.id=e.id||"deckgl-overlay",e.width&&typeof e.width=="number"&&(t.width=e.width),e.height&&typeof e.height=="number"&&(t.height=e.height),(e.parent||document.body).appendChild(t),this._ownedCanvas=t),Object.assign(t.style,e.style),t}_isMultiCanvasMode(){return Array.isArray(this.props._canvases)}_getDefaultCanvasId(){return this._canvasManager.order[0]||vr}_validateCanvasConfiguration(e){Array.isArray(e._canvases)&&($(!e.canvas),$(!e.gl),$(!e.device?.canvasContext||e.device.getDefaultCanvasContext().offscreenCanvas))}_createEventManager(e){let t=new ko(e,{touchAction:this.props.touchAction,recognizers:Object.keys(jh).map(i=>{let[n,o,s,a]=jh[i],c=this.props.eventRecognizerOptions?.[i],l={...o,...c,event:i};return{recognizer:new n(l),recognizeWith:s,requireFailure:a}}),events:{pointerdown:this._onPointerDown,pointermove:this._onPointerMove,pointerleave:this._onPointerMove}});for(let i in Ki)i==="dblclick"?t.watch(i,this._onEvent):t.on(i,this._onEvent);return t}_getEventRoot(e){return e.closest(".deck-events-root")||this.props.parent?.querySelector(".deck-events-root")||e}_syncCanvasTargets(){if(!this.device||!this._isMultiCanvasMode())return;this._canvasManager.syncCanvasEntries({device:this.device,canvases:this.props._canvases||[],useDevicePixels:this.props.useDevicePixels}),this.eventManagers=this._canvasManager.eventManagers;let e=this._getDefaultCanvasId();this.eventManager=this.eventManagers[e]||null,this.canvas=this._canvasManager.targets[e]?.canvas||null}_setCanvasContext(e){this._canvasContext=e,"style"in e.canvas&&(this.canvas=e.canvas)}_setDeviceCanvasContext(e,t={}){let i=e.getDefaultCanvasContext();this._setCanvasContext(i),this._setDeviceResizeHandler(e,t)}_setDeviceResizeHandler(e,t={}){let i=!!t.syncDrawingBuffer;if(this._deviceResizeHandler?.device===e){this._deviceResizeHandler.syncDrawingBuffer=i;return}this._restoreDeviceResizeHandler();let n=o=>{this._isMultiCanvasMode()?this._updateMultiCanvasDimensions():o===this._canvasContext&&this._canvasContext&&this._onCanvasContextResize(this._canvasContext,{syncDrawingBuffer:this._deviceResizeHandler?.syncDrawingBuffer})};e.props.onResize=n,this._deviceResizeHandler={device:e,onResize:n,syncDrawingBuffer:i}}_restoreDeviceResizeHandler(){let e=this._deviceResizeHandler;e&&e.device.props?.onResize===e.onResize&&(e.device.props.onResize=Kt),this._deviceResizeHandler=null}_setCanvasSize(e){if(this._isMultiCanvasMode()||!this.canvas)return;let{width:t,height:i}=e;if(t||t===0){let n=Number.isFinite(t)?`${t}px`:t;this.canvas.style.width=n}if(i||i===0){let n=Number.isFinite(i)?`${i}px`:i;this.canvas.style.position=e.style?.position||"absolute",this.canvas.style.height=n}}_getCanvasIdFromEvent(e){return this._canvasManager.getCanvasIdFromEvent(e?.rootElement)}_getCanvasContext(e){return this._canvasManager.getTarget(e)?.presentationContext||this._canvasContext}_resizeForCanvasTarget(e){let t=this._canvasManager.getTarget(e);if(!t||!this.device?.canvasContext)return;let[i,n]=t.presentationContext.getDrawingBufferSize();this.device.canvasContext.setDrawingBufferSize(i,n)}_createDeviceCanvas(e){if(this._isMultiCanvasMode()){let t=globalThis.OffscreenCanvas;if(!t)throw new Error("`_canvases` requires OffscreenCanvas support.");let i=typeof e.width=="number"&&Number.isFinite(e.width)?e.width:1,n=typeof e.height=="number"&&Number.isFinite(e.height)?e.height:1;return new t(i,n)}return this._createCanvas(e)}_updateCanvasSize(e=this._canvasContext){if(this._isMultiCanvasMode()){this._updateMultiCanvasDimensions();return}let{canvas:t}=this,[i,n]=e?e.getCSSSize():[t?.clientWidth??t?.width??0,t?.clientHeight??t?.height??0];(i!==this.width||n!==this.height)&&(this.width=i,this.height=n,this.viewManager?.setProps({width:i,height:n}),this.layerManager?.activateViewport(this.getViewports()[0]),this.props.onResize({width:i,height:n},e||void 0))}_onCanvasContextResize(e,t={}){if(t.syncDrawingBuffer){let{width:i,height:n}=e.canvas;e.setDrawingBufferSize(i,n)}this._needsRedraw="Canvas resized",this._updateCanvasSize(e)}_updateMultiCanvasDimensions(){let[e,t]=this._getCanvasContext()?.getCSSSize()||[0,0];(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.props.onResize({width:e,height:t})),this._needsRedraw="Canvas resized",this.viewManager?.setNeedsUpdate("Canvas resized"),this.viewManager?.setProps({width:this.width,height:this.height})}_createAnimationLoop(e,t){let{gl:i,onError:n}=t;return new Yo({device:e,autoResizeDrawingBuffer:!i&&!Array.isArray(t._canvases),autoResizeViewport:!1,onInitialize:o=>this._setDevice(o.device),onRender:this._onRenderFrame.bind(this),onError:n})}_createDevice(e){let t=this.props.deviceProps?.createCanvasContext,i=typeof t=="object"?t:void 0,n={adapters:[],_cacheShaders:!0,_cachePipelines:!0,...e.deviceProps};n.adapters.includes(Ps)||n.adapters.push(Ps);let o={alphaMode:this.props.deviceProps?.type==="webgpu"?"premultiplied":void 0};return Oi.createDevice({_reuseDevices:!0,type:"webgl",...n,createCanvasContext:{...o,...i,canvas:this._createDeviceCanvas(e),useDevicePixels:this.props.useDevicePixels,autoResize:!0}})}_getViewState(){return this.props.viewState||this.viewState}_getViews(){let{views:e}=this.props,t=Array.isArray(e)?e:e?[e]:[new sl({id:"default-view"})];return t.length&&this.props.controller&&(t[0]=t[0].clone({controller:this.props.controller})),t}_onContextLost(){let{onError:e}=this.props;this.animationLoop&&e&&e(new Error("WebGL context is lost"))}_pickAndCallback(){let{_pickRequest:e}=this;if(e.event){let t=e.event,i=this.layerManager?.getLayers()||[],n=this._getPointPickOptions(e.x,e.y,{canvasId:e.canvasId,radius:e.radius,mode:e.mode},i),o=this._getInternalPickingMode(),s=++this._hoverPickSequence;if(e.event=null,e.canvasId=void 0,!o)return;if(o==="sync"){this._applyHoverCallbacks(this._pickPointSync(n),t);return}this._pickPointAsync(n).then(({result:a,emptyInfo:c})=>{s===this._hoverPickSequence&&this._applyHoverCallbacks({result:a,emptyInfo:c},t)}).catch(a=>this.props.onError?.(a))}}_updateCursor(){let e=this.props.getCursor(this.cursorState);if(this._isMultiCanvasMode()){for(let i of Object.values(this._canvasManager.targets))i.canvas.style.cursor=e;return}let t=this.props.parent||this.canvas;t&&(t.style.cursor=e)}_setDevice(e){if(this.device=e,this._validateInternalPickingMode(),!this.animationLoop)return;this._setDeviceCanvasContext(e,{syncDrawingBuffer:!!(this.props.gl&&this.props.device!==e)}),this._isMultiCanvasMode()?this._syncCanvasTargets():this.canvas&&!this.canvas.isConnected&&this.props.parent&&this.props.parent.insertBefore(this.canvas,this.props.parent.firstChild),this.device.type==="webgl"&&this.device.setParametersWebGL({blend:!0,blendFunc:[770,771,1,771],polygonOffsetFill:!0,depthTest:!0,depthFunc:515}),this.props.onDeviceInitialized(this.device),this.device.type==="webgl"&&this.props.onWebGLInitialized(this.device.gl);let t=new fi;if(t.play(),this.animationLoop.attachTimeline(t),!this._isMultiCanvasMode()){let o=this.canvas&&this._getEventRoot(this.canvas);$(o),this.eventManager=this._createEventManager(o),this.eventManagers={[vr]:this.eventManager}}this.viewManager=new es({timeline:t,eventManager:this.eventManager,eventManagers:this.eventManagers,getCanvasContext:this._isMultiCanvasMode()?this.getCanvasContext.bind(this):void 0,onViewStateChange:this._onViewStateChange.bind(this),onInteractionStateChange:this._onInteractionStateChange.bind(this),pickPosition:this._pickPositionForController.bind(this),views:this._getViews(),viewState:this._getViewState(),width:this.width,height:this.height});let i=this.viewManager.getViewports()[0];this.layerManager=new Jo(this.device,{deck:this,stats:this.stats,viewport:i,timeline:t}),this.effectManager=new as({deck:this,device:this.device}),this.deckRenderer=new ls(this.device,{stats:this.stats}),this.deckPicker=new fs(this.device,{stats:this.stats});let n=this.props.parent?.querySelector(".deck-widgets-root")||(this._isMultiCanvasMode()?this.props.parent||this.canvas?.parentElement:null)||this.canvas?.parentElement;this.widgetManager=new ll({deck:this,parentElement:n}),this.widgetManager.addDefault(new us),this.setProps({}),this._updateCanvasSize(this._canvasContext),this.props.onLoad()}_drawLayers(e,t){let{device:i,gl:n}=this.layerManager.context;this.props.onBeforeRender({device:i,gl:n});let o={target:this.props._framebuffer,layers:this.layerManager.getLayers(),viewports:this.viewManager.getViewports(),onViewportActive:this.layerManager.activateViewport,views:this.viewManager.getViews(),pass:"screen",effects:this.effectManager.getEffects(),...t};if(this._isMultiCanvasMode()&&o.pass==="screen"&&!o.target&&this._canvasManager.order.length)for(let s of this._canvasManager.order){let a=o.viewports.filter(f=>this.viewManager.getCanvasId(f.id)===s);if(!a.length){let f=this._canvasManager.targets[s];this._resizeForCanvasTarget(s),this.deckRenderer?.renderLayers({...o,canvasContext:f.presentationContext,target:f.presentationContext.getCurrentFramebuffer(),viewports:[],clearCanvas:!0}),f.presentationContext.present();continue}let c=this._canvasManager.targets[s];this._resizeForCanvasTarget(s);let l=c.presentationContext.getCurrentFramebuffer();this.deckRenderer?.renderLayers({...o,canvasContext:c.presentationContext,target:l,viewports:a}),c.presentationContext.present()}else this.deckRenderer?.renderLayers(o);o.pass==="screen"&&this.widgetManager.onRedraw({viewports:o.viewports,layers:o.layers}),this.props.onAfterRender({device:i,gl:n})}_onRenderFrame(){this._getFrameStats(),this._metricsCounter++%60===0&&(this._getMetrics(),this.stats.reset(),B.table(4,this.metrics)(),this.props._onMetrics&&this.props._onMetrics(this.metrics)),this._updateCursor(),this.layerManager.updateLayers(),this._pickAndCallback(),this.redraw(),this.viewManager&&this.viewManager.updateViewStates()}_onViewStateChange(e){let t=this.props.onViewStateChange(e)||e.viewState;this.viewState&&(this.viewState={...this.viewState,[e.viewId]:t},this.props.viewState||this.viewManager&&this.viewManager.setProps({viewState:this.viewState}))}_onInteractionStateChange(e){this.cursorState.isDragging=e.isDragging||!1,this.props.onInteractionStateChange(e)}_getFrameStats(){let{stats:e}=this;e.get("frameRate").timeEnd(),e.get("frameRate").timeStart();let t=this.animationLoop.stats;e.get("GPU Time").addTime(t.get("GPU Time").lastTiming),e.get("CPU Time").addTime(t.get("CPU Time").lastTiming)}_getMetrics(){let{metrics:e,stats:t}=this;e.fps=t.get("frameRate").getHz(),e.setPropsTime=t.get("setProps Time").time,e.updateAttributesTime=t.get("Update Attributes").time,e.framesRedrawn=t.get("Redraw Count").count,e.pickTime=t.get("pickObject Time").time+t.get("pickMultipleObjects Time").time+t.get("pickObjects Time").time,e.pickCount=t.get("Pick Count").count,e.layersCount=this.layerManager?.layers.length??0,e.drawLayersCount=t.get("Layers rendered").lastSampleCount,e.pickLayersCount=t.get("Layers picked").lastSampleCount,e.updateLayersCount=t.get("Layer updates").count,e.updateAttributesCount=t.get("Attributes updated").count,e.gpuTime=t.get("GPU Time").time,e.cpuTime=t.get("CPU Time").time,e.gpuTimePerFrame=t.get("GPU Time").getAverageTime(),e.cpuTimePerFrame=t.get("CPU Time").getAverageTime();let i=Oi.stats.get("GPU Time and Memory");e.bufferMemory=i.get("Buffer Memory").count,e.textureMemory=i.get("Texture Memory").count,e.renderbufferMemory=i.get("Renderbuffer Memory").count,e.gpuMemory=i.get("GPU Memory").count}};Es.defaultProps=oP;Es.VERSION=d_;var sP=Es;D();D();function aP(r){switch(r){case"float64":return Float64Array;case"uint8":case"unorm8":return Uint8ClampedArray;default:return zr(r)}}var cP=ge.getDataType.bind(ge);function Ss(r,e,t){if(e.size>4)return null;let i=t==="webgpu"&&e.type==="uint8"?"unorm8":e.type,n=e.size,o=!!(t!=="webgpu"&&n===3&&i&&["uint8","sint8","unorm8","snorm8","uint16","sint16","unorm16","snorm16"].includes(i));return{attribute:r,format:n>1?`${i}x${n}${o?"-webgl":""}`:e.type,byteOffset:e.offset||0}}function rt(r){return r.stride||r.size*r.bytesPerElement}function lP(r,e){return r.type===e.type&&r.size===e.size&&rt(r)===rt(e)&&(r.offset||0)===(e.offset||0)}function Kp(r,e){e.offset&&B.removed("shaderAttribute.offset","vertexOffset, elementOffset")();let t=rt(r),i=e.vertexOffset!==void 0?e.vertexOffset:r.vertexOffset||0,n=e.elementOffset||0,o=i*t+n*r.bytesPerElement+(r.offset||0);return{...e,offset:o,stride:t}}function X4(r,e){let t=Kp(r,e);return{high:t,low:{...t,offset:t.offset+r.size*4}}}var Ts=class{constructor(e,t,i){this._buffer=null,this.device=e,this.id=t.id||"",this.size=t.size||1;let n=t.logicalType||t.type,o=n==="float64",{defaultValue:s}=t;s=Number.isFinite(s)?[s]:s||new Array(this.size).fill(0);let a;o?a="float32":!n&&t.isIndexed?a="uint32":a=n||"float32";let c=aP(n||a);this.doublePrecision=o,o&&t.fp64===!1&&(c=Float32Array),this.value=null,this.settings={...t,defaultType:c,defaultValue:s,logicalType:n,type:a,normalized:a.includes("norm"),size:this.size,bytesPerElement:c.BYTES_PER_ELEMENT},this.state={...i,externalBuffer:null,bufferAccessor:this.settings,allocatedValue:null,numInstances:0,bounds:null,constant:!1}}get isConstant(){return this.state.constant}get buffer(){return this._buffer}get byteOffset(){let e=this.getAccessor();return e.vertexOffset?e.vertexOffset*rt(e):0}get numInstances(){return this.state.numInstances}set numInstances(e){this.state.numInstances=e}get isDoublePrecisionBuffer(){return this._shouldSplitDoublePrecisionValue(this.value)}delete(){this._buffer&&(this._buffer.delete(),this._buffer=null),ft.release(this.state.allocatedValue),this.state.allocatedValue=null}getBuffer(){return this.state.constant&&this.device.type!=="webgpu"?null:this.state.externalBuffer||this._buffer}getValue(e=this.id,t=null){let i={};if(this.state.constant){let n=this.value;if(this.device.type==="webgpu"&&this._buffer)i[e]=this._buffer;else if(t){let o=Kp(this.getAccessor(),t),s=o.offset/n.BYTES_PER_ELEMENT,a=o.size||this.size;i[e]=n.subarray(s,s+a)}else i[e]=n}else i[e]=this.getBuffer();return this.doublePrecision&&(this.isDoublePrecisionBuffer?i[`${e}64Low`]=i[e]:i[`${e}64Low`]=new Float32Array(this.size)),i}_getBufferLayout(e=this.id,t=null){let i=this.getAccessor(),n=[],o={name:this.id,byteStride:this.device.type==="webgpu"&&this.state.constant?0:rt(i)};if(this.doublePrecision){let s=X4(i,t||{});n.push(Ss(e,{...i,...s.high},this.device.type),Ss(`${e}64Low`,{...i,...s.low},this.device.type))}else if(t){let s=Kp(i,t);n.push(Ss(e,{...i,...s},this.device.type))}else n.push(Ss(e,i,this.device.type));return o.attributes=n.filter(Boolean),o}setAccessor(e){this.state.bufferAccessor=e}getAccessor(){return this.state.bufferAccessor}getBounds(){if(this.state.bounds)return this.state.bounds;let e=null;if(this.state.constant&&this.value){let t=Array.from(this.value);e=[t,t]}else{let{value:t,numInstances:i,size:n}=this,o=i*n;if(t&&o&&t.length>=o){let s=new Array(n).fill(1/0),a=new Array(n).fill(-1/0);for(let c=0;c<o;)for(let l=0;l<n;l++){let f=t[c++];f<s[l]&&(s[l]=f),f>a[l]&&(a[l]=f)}e=[s,a]}}return this.state.bounds=e,e}setData(e){let{state:t}=this,i;ArrayBuffer.isView(e)?i={value:e}:e instanceof F?i={buffer:e}:i=e;let n={...this.settings,...i};if(ArrayBuffer.isView(i.value)){if(!i.type)if(this.doublePrecision&&i.value instanceof Float64Array)n.type="float32";else{let s=cP(i.value);n.type=n.normalized?s.replace("int","norm"):s}n.bytesPerElement=i.value.BYTES_PER_ELEMENT,n.stride=rt(n)}if(t.bounds=null,i.constant){let o=i.value;if(o=this._normalizeValue(o,[],0),this.settings.normalized&&(o=this.normalizeConstant(o)),!(!t.constant||!this._areValuesEqual(o,this.value)))return!1;t.externalBuffer=null,t.constant=!0,this.value=ArrayBuffer.isView(o)?o:new Float32Array(o)}else if(i.buffer){let o=i.buffer;t.externalBuffer=o,t.constant=!1,this.value=i.value||null}else if(i.value){this._checkExternalBuffer(i);let o=i.value,s=o;t.externalBuffer=null,t.constant=!1,this.value=o,this._shouldSplitDoublePrecisionValue(s)&&(s=on(s,n),o instanceof Float32Array&&(n.stride=n.size*2*Float32Array.BYTES_PER_ELEMENT));let{buffer:a}=this,c=rt(n),l=(n.vertexOffset||0)*c;if(this.settings.isIndexed){let u=this.settings.defaultType;s.constructor!==u&&(s=new u(s))}let f=s.byteLength+l+c*2;(!a||a.byteLength<f)&&(a=this._createBuffer(f)),a.write(s,l)}return this.setAccessor(n),!0}updateSubBuffer(e={}){this.state.bounds=null;let t=this.value,{startOffset:i=0,endOffset:n}=e,o=this._shouldSplitDoublePrecisionValue(t);this.buffer.write(o?on(t,{size:this.size,startIndex:i,endIndex:n}):t.subarray(i,n),i*(o?8:t.BYTES_PER_ELEMENT)+this.byteOffset)}allocate(e,t=!1){let{state:i}=this,n=i.allocatedValue,o=ft.allocate(n,e+1,{size:this.size,type:this.settings.defaultType,copy:t});this.value=o;let s=this._shouldSplitDoublePrecisionValue(o),a=s&&o instanceof Float32Array?{...this.settings,stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}:this.settings;this.setAccessor(a);let{byteOffset:c}=this,{buffer:l}=this,f=o.byteLength*(s&&o instanceof Float32Array?2:1);return(!l||l.byteLength<f+c)&&(l=this._createBuffer(f+c),t&&n&&l.write(this._shouldSplitDoublePrecisionValue(n)?on(n,this):n,c)),i.allocatedValue=o,i.constant=!1,i.externalBuffer=null,!0}_shouldSplitDoublePrecisionValue(e){return!!(this.doublePrecision&&(e instanceof Float64Array||this.device.type==="webgpu"&&e instanceof Float32Array))}_checkExternalBuffer(e){let{value:t}=e;if(!ArrayBuffer.isView(t))throw new Error(`Attribute ${this.id} value is not TypedArray`);let i=this.settings.defaultType,n=!1;if(this.doublePrecision&&(n=t.BYTES_PER_ELEMENT<4),n)throw new Error(`Attribute ${this.id} does not support ${t.constructor.name}`);!(t instanceof i)&&this.settings.normalized&&!("normalized"in e)&&B.warn(`Attribute ${this.id} is normalized`)()}normalizeConstant(e){switch(this.settings.type){case"snorm8":return new Float32Array(e).map(t=>(t+128)/255*2-1);case"snorm16":return new Float32Array(e).map(t=>(t+32768)/65535*2-1);case"unorm8":return new Float32Array(e).map(t=>t/255);case"unorm16":return new Float32Array(e).map(t=>t/65535);default:return e}}_normalizeValue(e,t,i){let{defaultValue:n,size:o}=this.settings;if(Number.isFinite(e))return t[i]=e,t;if(!e){let s=o;for(;--s>=0;)t[i+s]=n[s];return t}switch(o){case 4:t[i+3]=Number.isFinite(e[3])?e[3]:n[3];case 3:t[i+2]=Number.isFinite(e[2])?e[2]:n[2];case 2:t[i+1]=Number.isFinite(e[1])?e[1]:n[1];case 1:t[i+0]=Number.isFinite(e[0])?e[0]:n[0];break;default:let s=o;for(;--s>=0;)t[i+s]=Number.isFinite(e[s])?e[s]:n[s]}return t}_areValuesEqual(e,t){if(!e||!t)return!1;let{size:i}=this;for(let n=0;n<i;n++)if(e[n]!==t[n])return!1;return!0}_createBuffer(e){this._buffer&&this._buffer.destroy();let{isIndexed:t,type:i}=this.settings,n=this.device.type==="webgpu"&&!t?F.VERTEX|F.STORAGE|F.COPY_DST|F.COPY_SRC:(t?F.INDEX:F.VERTEX)|F.COPY_DST;return this._buffer=this.device.createBuffer({...this._buffer?.props,id:this.id,usage:n,indexType:t?i:void 0,byteLength:e}),this._buffer}};var fP=[],uP=[];function He(r,e=0,t=1/0){let i=fP,n={index:-1,data:r,target:[]};return r?typeof r[Symbol.iterator]=="function"?i=r:r.length>0&&(uP.length=r.length,i=uP):i=fP,(e>0||Number.isFinite(t))&&(i=(Array.isArray(i)?i:Array.from(i)).slice(e,t),n.index=e-1),{iterable:i,objectInfo:n}}function jl(r){return r&&r[Symbol.asyncIterator]}function Hl(r,e){let{size:t,stride:i,offset:n,startIndices:o,nested:s}=e,a=r.BYTES_PER_ELEMENT,c=i?i/a:t,l=n?n/a:0,f=Math.floor((r.length-l)/c);return(u,{index:d,target:h})=>{if(!o){let y=d*c+l;for(let v=0;v<t;v++)h[v]=r[y+v];return h}let p=o[d],g=o[d+1]||f,m;if(s){m=new Array(g-p);for(let y=p;y<g;y++){let v=y*c+l;h=new Array(t);for(let _=0;_<t;_++)h[_]=r[v+_];m[y-p]=h}}else if(c===t)m=r.subarray(p*t+l,g*t+l);else{m=new r.constructor((g-p)*t);let y=0;for(let v=p;v<g;v++){let _=v*c+l;for(let b=0;b<t;b++)m[y++]=r[_+b]}}return m}}var dP=[],Ls=[[0,1/0]];function hP(r,e){if(r===Ls||(e[0]<0&&(e[0]=0),e[0]>=e[1]))return r;let t=[],i=r.length,n=0;for(let o=0;o<i;o++){let s=r[o];s[1]<e[0]?(t.push(s),n=o+1):s[0]>e[1]?t.push(s):e=[Math.min(s[0],e[0]),Math.max(s[1],e[1])]}return t.splice(n,0,e),t}var Q4={interpolation:{duration:0,easing:r=>r},spring:{stiffness:.05,damping:.5}};function Yl(r,e){if(!r)return null;Number.isFinite(r)&&(r={type:"interpolation",duration:r});let t=r.type||"interpolation";return{...Q4[t],...e,...r,type:t}}var yi=class extends Ts{constructor(e,t){super(e,t,{startIndices:null,constantValue:null,lastExternalBuffer:null,binaryValue:null,binaryAccessor:null,needsUpdate:!0,needsRedraw:!1,layoutChanged:!1,updateRanges:Ls}),this.constant=!1,this.settings.update=t.update||(t.accessor?this._autoUpdater:void 0),Object.seal(this.settings),Object.seal(this.state),this._validateAttributeUpdaters()}get startIndices(){return this.state.startIndices}set startIndices(e){this.state.startIndices=e}needsUpdate(){return this.state.needsUpdate}needsRedraw({clearChangedFlags:e=!1}={}){let t=this.state.needsRedraw;return this.state.needsRedraw=t&&!e,t}layoutChanged(){return this.state.layoutChanged}setAccessor(e){var t;(t=this.state).layoutChanged||(t.layoutChanged=!lP(e,this.getAccessor())),super.setAccessor(e)}getUpdateTriggers(){let{accessor:e}=this.settings;return[this.id].concat(typeof e!="function"&&e||[])}supportsTransition(){return!!this.settings.transition}getTransitionSetting(e){if(!e||!this.supportsTransition())return null;let{accessor:t}=this.settings,i=this.settings.transition,n=Array.isArray(t)?e[t.find(o=>e[o])]:e[t];return Yl(n,i)}setNeedsUpdate(e=this.id,t){if(this.state.needsUpdate=this.state.needsUpdate||e,this.setNeedsRedraw(e),t){let{startRow:i=0,endRow:n=1/0}=t;this.state.updateRanges=hP(this.state.updateRanges,[i,n])}else this.state.updateRanges=Ls}clearNeedsUpdate(){this.state.needsUpdate=!1,this.state.updateRanges=dP}setNeedsRedraw(e=this.id){this.state.needsRedraw=this.state.needsRedraw||e}allocate(e){let{state:t,settings:i}=this;if(i.noAlloc)return!1;if(i.update){let n=this.isConstant;return super.allocate(e,t.updateRanges!==Ls),t.layoutChanged||(t.layoutChanged=n&&this.device.type==="webgpu"),!0}return!1}updateBuffer({numInstances:e,data:t,props:i,context:n}){if(!this.needsUpdate())return!1;let{state:{updateRanges:o},settings:{update:s,noAlloc:a}}=this,c=!0;if(s){for(let[l,f]of o)s.call(n,this,{data:t,startRow:l,endRow:f,props:i,numInstances:e});if(this.value)if(this.constant||!this.buffer||this.buffer.byteLength<this.value.byteLength+this.byteOffset){if(this.constant){let l=this.value;this.value=null,this.setConstantValue(n,l)}else this.setData({value:this.value,constant:this.constant});this.constant=!1}else for(let[l,f]of o){let u=Number.isFinite(l)?this.getVertexOffset(l):0,d=Number.isFinite(f)?this.getVertexOffset(f):a||!Number.isFinite(e)?this.value.length:e*this.size;super.updateSubBuffer({startOffset:u,endOffset:d})}this._checkAttributeArray()}else c=!1;return this.clearNeedsUpdate(),this.setNeedsRedraw(),c}setConstantValue(e,t){var i;if(t===void 0||typeof t=="function")return!1;let n=this.isConstant,o=this.settings.transform&&e?this.settings.transform.call(e,t):t,s=this.settings.defaultType;this.state.constantValue=this._normalizeValue(o,new s(this.size),0);let a=this.setData({constant:!0,value:o});if(this.device.type==="webgpu"){let c=this.state.constantValue;this.doublePrecision&&(c instanceof Float32Array||c instanceof Float64Array)&&(c=on(c,{size:this.size}),this.setAccessor({...this.getAccessor(),stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}));let l=this._buffer;(!l||l.byteLength<c.byteLength)&&(l=this._createBuffer(c.byteLength)),l.write(c),(i=this.state).layoutChanged||(i.layoutChanged=!n),this.constant=!1}return a&&this.setNeedsRedraw(),this.clearNeedsUpdate(),!0}getConstantValue(){return this.isConstant?this.state.constantValue:null}setExternalBuffer(e){let{state:t}=this;return e?(this.clearNeedsUpdate(),t.lastExternalBuffer===e||(t.lastExternalBuffer=e,this.setNeedsRedraw(),this.setData(e)),!0):(t.lastExternalBuffer=null,!1)}setBinaryValue(e,t=null){let{state:i,settings:n}=this;if(!e)return i.binaryValue=null,i.binaryAccessor=null,!1;if(n.noAlloc)return!1;if(i.binaryValue===e)return this.clearNeedsUpdate(),!0;if(i.binaryValue=e,this.setNeedsRedraw(),n.transform||t!==this.startIndices){ArrayBuffer.isView(e)&&(e={value:e});let s=e;$(ArrayBuffer.isView(s.value),`invalid ${n.accessor}`);let a=!!s.size&&s.size!==this.size;return i.binaryAccessor=Hl(s.value,{size:s.size||this.size,stride:s.stride,offset:s.offset,startIndices:t,nested:a}),!1}return this.clearNeedsUpdate(),this.setData(e),!0}getVertexOffset(e){let{startIndices:t}=this;return(t?e<t.length?t[e]:this.numInstances:e)*this.size}getValue(){let e=this.settings.shaderAttributes,t=super.getValue();if(!e)return t;for(let i in e)Object.assign(t,super.getValue(i,e[i]));return t}getBufferLayout(e){this.state.layoutChanged=!1;let t=this.settings.shaderAttributes,i=super._getBufferLayout(),{stepMode:n}=this.settings;if(n==="dynamic"?i.stepMode=e?e.isInstanced?"instance":"vertex":"instance":i.stepMode=n??"vertex",!t)return i;for(let o in t){let s=super._getBufferLayout(o,t[o]);i.attributes.push(...s.attributes)}return i}_autoUpdater(e,{data:t,startRow:i,endRow:n,props:o,numInstances:s}){let{settings:a,state:c,value:l,size:f,startIndices:u}=e,{accessor:d,transform:h}=a,p=c.binaryAccessor||(typeof d=="function"?d:o[d]);$(typeof p=="function",`accessor "${d}" is not a function`);let g=e.getVertexOffset(i),{iterable:m,objectInfo:y}=He(t,i,n);for(let v of m){y.index++;let _=p(v,y);if(h&&(_=h.call(this,_)),u){let b=(y.index<u.length-1?u[y.index+1]:s)-u[y.index];if(_&&Array.isArray(_[0])){let w=g;for(let P of _)e._normalizeValue(P,l,w),w+=f}else _&&_.length>f?l.set(_,g):(e._normalizeValue(_,y.target,0),wv({target:l,source:y.target,start:g,count:b}));g+=b*f}else e._normalizeValue(_,l,g),g+=f}}_validateAttributeUpdaters(){let{settings:e}=this;if(!(e.noAlloc||typeof e.update=="function"))throw new Error(`Attribute ${this.id} missing update or accessor`)}_checkAttributeArray(){let{value:e}=this,t=Math.min(4,this.size);if(e&&e.length>=t){let i=!0;switch(t){case 4:i=i&&Number.isFinite(e[3]);case 3:i=i&&Number.isFinite(e[2]);case 2:i=i&&Number.isFinite(e[1]);case 1:i=i&&Number.isFinite(e[0]);break;default:i=!1}if(!i)throw new Error(`Illegal attribute generated for ${this.id}`)}}};er();ig();er();var As=class r{gpuDataEvaluators;format;length;id;_gpuVector;_ownsGPUDataEvaluators;_destroyed=!1;static fromGPUVector(e){if(e.bufferLayout)throw new Error(`GPUVectorEvaluator.fromGPUVector() does not accept interleaved vector "${e.name}"`);if(e.data.length===0)throw new Error(`GPUVectorEvaluator.fromGPUVector() requires GPUData for "${e.name}"`);return new r({id:e.name,gpuDataEvaluators:e.data.map(t=>j.fromGPUData(t,{id:e.name})),gpuVector:e,format:e.format})}static fromGPUDataEvaluators(e,t={}){return new r({id:t.id,gpuDataEvaluators:e,format:t.format})}constructor({id:e,gpuDataEvaluators:t,gpuVector:i,format:n}){if(t.length===0)throw new Error("GPUVectorEvaluator requires at least one GPUData evaluator");uD(t),this.id=e,this.gpuDataEvaluators=t,this.format=n??t[0].format,this.length=t.reduce((o,s)=>o+s.length,0),this._gpuVector=i,this._ownsGPUDataEvaluators=!i}get evaluated(){return!!this._gpuVector}get gpuVector(){if(!this._gpuVector)throw new Error(`${this} not evaluated`);return this._gpuVector}mapGPUData(e){return r.fromGPUDataEvaluators(this.gpuDataEvaluators.map((t,i)=>e(t,i)),{id:this.id})}async evaluate(e,t={}){if(this._destroyed)throw new Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let i=await Promise.all(this.gpuDataEvaluators.map(a=>a.evaluate(e,t))),n=i[0],o=i.map(SP),s=t.format??this.format??n.format;return this._gpuVector=new Ft({type:"data",name:t.name??this.id??"vector",format:s,data:o,stride:n.stride,byteStride:n.byteStride,rowByteLength:n.rowByteLength,bufferLayout:n.bufferLayout}),this._gpuVector}evaluateSync(e,t={}){if(this._destroyed)throw new Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let i=this.gpuDataEvaluators.map(a=>a.evaluateSync(e,t)),n=i[0],o=i.map(SP),s=t.format??this.format??n.format;return this._gpuVector=new Ft({type:"data",name:t.name??this.id??"vector",format:s,data:o,stride:n.stride,byteStride:n.byteStride,rowByteLength:n.rowByteLength,bufferLayout:n.bufferLayout}),this._gpuVector}destroy(){if(this._ownsGPUDataEvaluators)for(let e of this.gpuDataEvaluators)e.destroy();this._gpuVector=void 0,this._destroyed=!0}toString(){return this.id??this.constructor.name}};function uD(r){let e=r[0];for(let t of r.slice(1))if(t.type!==e.type||t.size!==e.size||t.normalized!==e.normalized||t.format!==e.format)throw new Error("GPUVectorEvaluator requires matching GPUData evaluator layouts")}function SP(r){let[e,...t]=r.data;if(!e||t.length>0)throw new Error(`GPUVectorEvaluator requires one GPUData chunk for "${r.name}"`);return e}er();D();var ag={};Gt(ag,{arithmetic:()=>TP,dot:()=>RP,equalAll:()=>OP,extent:()=>CP,fround:()=>AP,gather:()=>MP,interleave:()=>IP,length:()=>BP,segmentedMap:()=>DP,select:()=>kP,sequence:()=>NP,swizzle:()=>FP});tf();function vn({elementWise:r,func:e,inputs:t,output:i,outputBuffer:n}){let o=Array.isArray(t)?t:Object.values(t);for(let p of o)if(!p.value)throw new Error(`${p} does not have CPU value`);let s=i.length,a=i.size,c=new i.ValueType(s*a);for(let p=0;p<s;p++){let g=o.map(m=>ie(m,p));if(r)for(let m=0;m<a;m++)c[p*a+m]=e.apply(null,g.map(y=>y[m]));else e.call(null,c.subarray(p*a,p*a+a),...g)}let l=i.ValueType.BYTES_PER_ELEMENT,f=i.offset/l,u=i.stride/l,d=a,h=c;if(f!==0||u!==d){h=new i.ValueType(f+i.byteLength/l);for(let p=0;p<s;p++){let g=p*d,m=f+p*u,y=c.subarray(g,g+a);h.set(y,m),n.write(y,m*l)}}else n.write(c);return{success:!0,value:h}}function ie(r,e){let t=r.value,i=r.size,n=r.offset/r.ValueType.BYTES_PER_ELEMENT,o=r.stride/r.ValueType.BYTES_PER_ELEMENT,s=r.isConstant?0:e,a=n+s*o,c=t.slice(a,a+i);if(!r.normalized)return c;let l=new Float32Array(i);for(let f=0;f<i;f++)l[f]=dD(c[f],r.type);return l}function dD(r,e){switch(e){case"uint8":return r/255;case"uint16":return r/65535;case"uint32":return r/4294967295;case"sint8":return Math.max(r/127,-1);case"sint16":return Math.max(r/32767,-1);case"sint32":return Math.max(r/2147483647,-1);case"float32":return r;default:throw new Error(`Unsupported normalized source type ${e}`)}}var TP=({inputs:r,output:e,target:t})=>{for(let n of Object.values(r.namedInputs))if(!n.value)throw new Error(`${n} does not have CPU value`);let i=new e.ValueType(e.length*e.size);for(let n=0;n<e.length;n++){let o=Object.fromEntries(Object.entries(r.namedInputs).map(([s,a])=>[s,ie(a,n)]));for(let s=0;s<e.size;s++)i[n*e.size+s]=LP(r.expression,o,s)}return t.write(i),{success:!0,value:i}};function LP(r,e,t){switch(r.kind){case"input":{let i=e[r.name];return t<i.length?i[t]:i.length===1?i[0]:0}case"literal":return Array.isArray(r.value)?r.value[t]??0:r.value;case"call":{hD(r.op,r.args.length);let i=r.args.map(n=>LP(n,e,t));switch(r.op){case"add":return i[0]+i[1];case"subtract":return i[0]-i[1];case"multiply":return i[0]*i[1];case"divide":return i[0]/i[1];case"pow":return Math.pow(i[0],i[1]);case"sqrt":return Math.sqrt(i[0]);case"abs":return Math.abs(i[0]);case"sin":return Math.sin(i[0]);case"cos":return Math.cos(i[0]);case"tan":return Math.tan(i[0]);case"exp":return Math.exp(i[0]);case"log":return Math.log(i[0]);default:{let n=r.op;throw new Error(`Unsupported arithmetic op ${n}`)}}}default:{let i=r;throw new Error(`Unsupported expression node ${i.kind}`)}}}function hD(r,e){let t=bn[r].arity;if(e!==t)throw new Error(`Arithmetic op '${r}' expects ${t} args, got ${e}`)}var CP=({inputs:r,output:e,target:t})=>{let{sourceValues:i}=r;if(!i.value)throw new Error(`${i} does not have CPU value`);let o=new e.ValueType(e.length*e.size);if(i.length===0)return{success:!1,error:new Error(`${i} is empty`)};for(let s=0;s<i.size;s++){let a=ie(i,0)[s],c=s*e.size,l=c+1;o[c]=a,o[l]=a;for(let f=1;f<i.length;f++){let u=ie(i,f)[s];u<o[c]&&(o[c]=u),u>o[l]&&(o[l]=u)}}return t.write(o),{success:!0,value:o}};var AP=({inputs:r,output:e,target:t})=>vn({func:(i,n)=>{let o=i.length/2,s=new Float64Array(n.buffer);for(let a=0;a<o;a++){let c=s[a];i[a]=Math.fround(c),i[a+o]=c-i[a]}return i},inputs:r,output:e,outputBuffer:t});var MP=async({inputs:r,output:e,target:t})=>{let{ids:i,sourceValues:n}=r,o=i.value,s=n.value;if(!o)throw new Error(`${i} does not have CPU value`);if(!s)throw new Error(`${n} does not have CPU value`);let a=new e.ValueType(e.length*e.size),c=new Array(e.size).fill(0);for(let l=0;l<e.length;l++){let f=ie(i,l),u=Number(f[0]),d=pD(u,n.length)?ie(n,u):c;a.set(d,l*e.size)}return t.write(a),{success:!0,value:a}};function pD(r,e){return Number.isInteger(r)&&r>=0&&r<e}var IP=({inputs:r,output:e,target:t})=>vn({func:(i,...n)=>{let o=0;for(let s of n)i.set(s,o),o+=s.length},inputs:r,output:e,outputBuffer:t});var RP=({inputs:r,output:e,target:t})=>{let{x:i,y:n}=r,o=new e.ValueType(e.length);for(let s=0;s<e.length;s++){let a=ie(i,s),c=ie(n,s),l=0;for(let f=0;f<i.size;f++)l+=a[f]*c[f];o[s]=l}return t.write(o),{success:!0,value:o}};var OP=({inputs:r,output:e,target:t})=>{let{x:i,y:n}=r,o=new e.ValueType(e.length);for(let s=0;s<e.length;s++){let a=ie(i,s),c=ie(n,s),l=1;for(let f=0;f<i.size;f++)if(a[f]!==c[f]){l=0;break}o[s]=l}return t.write(o),{success:!0,value:o}};var BP=({inputs:r,output:e,target:t})=>{let{x:i}=r,n=new e.ValueType(e.length);for(let o=0;o<e.length;o++){let s=ie(i,o),a=0;for(let c=0;c<i.size;c++)a+=s[c]*s[c];n[o]=Math.sqrt(a)}return t.write(n),{success:!0,value:n}};var DP=async({inputs:r,output:e,target:t})=>{let{segments:i,vertexCount:n}=r,o=i.value;if(!o)throw new Error(`${i} does not have CPU value`);gD(o,i,n);let s=new e.ValueType(e.length*e.size),a=0;for(let c=0;c<n;c++){for(;a+1<i.length&&o[og(i,a+1)]<=c;)a++;let l=o[og(i,a)],f=c*e.size;s[f]=a,s[f+1]=c-l}return t.write(s),{success:!0,value:s}};function gD(r,e,t){if(e.length<1)throw new Error("segmentedMap segments must contain at least one segment start");let i=0;for(let n=0;n<e.length;n++){let o=r[og(e,n)];if(n===0&&o!==0)throw new Error(`segmentedMap segments must start at 0, got ${o}`);if(n>0&&o<i)throw new Error(`segmentedMap segments must be non-decreasing, got ${o} after ${i}`);i=o}if(i>t)throw new Error(`segmentedMap last segment start must be <= vertexCount, got ${i} > ${t}`)}function og(r,e){return r.offset/r.ValueType.BYTES_PER_ELEMENT+e*(r.stride/r.ValueType.BYTES_PER_ELEMENT)}var kP=async({inputs:r,output:e,target:t})=>{let{condition:i,whenTrue:n,whenFalse:o}=r,s=new e.ValueType(e.length*e.size);for(let a=0;a<e.length;a++){let c=ie(i,a),l=ie(n,a),f=ie(o,a);for(let u=0;u<e.size;u++){let d=sg(c,i.size,u);s[a*e.size+u]=d!==0?sg(l,n.size,u):sg(f,o.size,u)}}return t.write(s),{success:!0,value:s}};function sg(r,e,t){return t<e?r[t]:e===1?r[0]:0}var NP=({inputs:r,output:e,target:t})=>{let i=new e.ValueType(e.length);for(let n=0;n<e.length;n++)i[n]=r.start+n*r.step;return t.write(i),{success:!0,value:i}};var FP=({inputs:r,output:e,target:t})=>{let{columns:i}=r;return vn({func:(n,o)=>{for(let s=0;s<i.length;s++)n[s]=o[i[s]]},inputs:{x:r.x},output:e,outputBuffer:t})};var bg=class{_modules={cpu:ag};add(e,t){let i=this._modules[e];if(typeof t.then=="function"){let o=Promise.all([Promise.resolve(i||{}),t]).then(([s,a])=>({...s,...a}));return this._modules[e]=o,o.then(s=>{this._modules[e]=s}).catch(s=>{E.error(`Failed to register ${e} backend: ${s}`)()}),o}if(i&&typeof i.then=="function"){let o=Promise.resolve(i).then(s=>({...s,...t})).then(s=>(this._modules[e]=s,s)).catch(s=>{throw E.error(`Failed to register ${e} backend: ${s}`)(),s});return this._modules[e]=o,o}let n={...i||{},...t};return this._modules[e]=n,Promise.resolve(n)}async get(e,t){let i=this._modules[e];if(!i)if(e==="webgl")i=this.add("webgl",Promise.resolve().then(()=>(p2(),h2)));else if(e==="webgpu")i=this.add("webgpu",Promise.resolve().then(()=>(xg(),U2)));else throw new Error(`${e} backend not registered`);let o=(await i)[t];if(typeof o!="function")throw new Error(`${e} backend does not implement ${t}`);return o}getSync(e,t){let i=this._modules[e];if(!i)throw new Error(`${e} backend not registered`);if(typeof i.then=="function")throw new Error(`${e} backend is not loaded yet`);let o=i[t];if(typeof o!="function")throw new Error(`${e} backend does not implement ${t}`);return o}clear(){this._modules={}}},Ln=new bg;var uf=class{inputs;dependencies;constructor(e){this.inputs=e,this.dependencies=Array.from(e instanceof Array?e:Object.values(e)).filter(t=>t instanceof j)}async execute(e,t){return await this._resolveDependencies(e),await this._executeWithHandler(await Ln.get(this._getHandlerRegistry(e),this.name),t)}executeSync(e,t){this._resolveDependenciesSync(e);let i=this._executeWithHandler(Ln.getSync(this._getHandlerRegistry(e),this.name),t);if(sk(i))throw new Error(`${this.name} returned a Promise in executeSync()`);return i}shouldExecuteOnCPU(){return this.output.length<=1&&Array.from(this.dependencies).every(e=>!!e.value)}_getHandlerRegistry(e){return this.shouldExecuteOnCPU()?"cpu":e.type}async _resolveDependencies(e){for(let i of this.dependencies)await i.evaluate(e);if(this._getHandlerRegistry(e)==="cpu"||e.type==="null")for(let i of this.dependencies)await i.ensureCPUValue()}_resolveDependenciesSync(e){for(let i of this.dependencies)i.evaluateSync(e);if(this._getHandlerRegistry(e)==="cpu"||e.type==="null")for(let i of this.dependencies)i.ensureCPUValueSync()}_executeWithHandler(e,t){return e({device:t.device,inputs:this.inputs,output:this.output,target:t})}};function sk(r){return typeof r?.then=="function"}function G2(...r){let e=ak(r.map(t=>t.type));return e[0]!=="f"&&r.some(t=>t.normalized)&&(e="float32"),{isConstant:r.every(t=>t.isConstant),type:e,size:r.reduce((t,i)=>Math.max(t,i.size),0),length:r.reduce((t,i)=>Math.max(t,i.length),0)}}function ak(r){let e=0,t=0;for(let i of r){if(i[0]==="f")return"float32";let n=i.endsWith("8")?8:i.endsWith("6")?16:32;i[0]==="u"?e=Math.max(e,n):t=Math.max(t,n)}return e&&!t?`uint${e}`:t&&e<32?`sint${Math.max(t,e*2)}`:"float32"}er();var vg=class extends uf{name="interleave";output;constructor(e){super(e);let{isConstant:t,type:i,length:n}=G2(...e);this.output=new j({isConstant:t,type:i,size:e.reduce((o,s)=>o+s.size,0),length:n,source:this})}toString(){return`_${this.inputs.join("_")}_`}};function wg(...r){if(r.length===0)throw new Error("interleave() requires at least one input");return r.length===1?ef(r[0]):new vg(r.map(ef)).output}q();er();function Eg(r,e){let t=lk(e);for(let i of t)i.evaluateSync(r);return ck(t),e}function ck(r){let e=new Set(r.flatMap(uk)),t=new Set;for(let i of r)df(i,t);for(let i of t)i.evaluated&&!e.has(i.buffer)&&i.destroy()}function lk(r){let e=new Set;return Pg(r,e,new Set),Array.from(e)}function Pg(r,e,t){if(dk(r)){e.add(r);return}if(!(!r||typeof r!="object"||t.has(r))){if(t.add(r),Array.isArray(r)){for(let i of r)Pg(i,e,t);return}if(fk(r))for(let i of Object.values(r))Pg(i,e,t)}}function fk(r){let e=Object.getPrototypeOf(r);return e===Object.prototype||e===null}function df(r,e){if(r instanceof As){for(let i of r.gpuDataEvaluators)df(i,e);return}let t=r.source;if(t){if(t instanceof j){e.has(t)||(e.add(t),df(t,e));return}for(let i of t.dependencies)e.has(i)||(e.add(i),df(i,e))}}function uk(r){return r instanceof j?[r.buffer]:r.gpuVector.data.map(e=>e.buffer instanceof ve?e.buffer.buffer:e.buffer)}function dk(r){return r instanceof j||r instanceof As}xg();var Is=class{constructor(e,{id:t,isTransitionAttribute:i}){this.packedBuffers={},this.device=e,this.id=t,this.isTransitionAttribute=i,this.device.type==="webgpu"&&Ln.add("webgpu",{interleave:ff})}hasGroups(e){return this.device.type==="webgpu"&&Object.values(e).some(t=>!!t.settings.bufferGroup)}finalize(){for(let e of Object.values(this.packedBuffers))e.packed.destroy();this.packedBuffers={}}getBufferLayouts(e,t){let i=this._getPackedGroups(e,t,{requireValues:!1,excludeAttributes:{}});return this._getBufferLayouts(e,i,t)}getBindings(e,t,i,n){let o=this._getPackedGroups(e,i,{requireValues:!0,excludeAttributes:n}),s={},a=new Set;for(let c of o.values()){let l=!this.packedBuffers[c.id]||c.attributes.some(f=>!!t[f.id]);s[c.id]=this._getPackedBuffer(c,l);for(let f of c.attributes)a.add(f.id)}return{bufferLayouts:this._getBufferLayouts(e,o,i).filter(c=>!n[c.name]&&!e[c.name]?.settings.isIndexed),buffers:s,groupedAttributeIds:a}}_getPackedGroups(e,t,{requireValues:i,excludeAttributes:n}){let o=new Map;for(let a of Object.values(e)){let c=a.settings.bufferGroup;if(!c)continue;let l=o.get(c)||[];l.push(a),o.set(c,l)}let s=new Map;for(let[a,c]of o){let l=this._getPackedGroup(a,c,t,i,n);l&&s.set(a,l)}return s}_getPackedGroup(e,t,i,n,o){if(t.length<2)return null;let s=t.map(h=>h.getBufferLayout(i)),a=s[0].stepMode,c=Math.max(1,t[0].numInstances),l=n&&t.every(h=>h.isConstant);for(let h=0;h<t.length;h++){let p=t[h],g=p.getAccessor(),m=g.size*g.bytesPerElement;if(o[p.id]||p.settings.isIndexed||p.settings.noAlloc||p.doublePrecision||this.isTransitionAttribute(p.id)||s[h].stepMode!==a||p.numInstances!==t[0].numInstances||(g.offset||0)!==0||(g.vertexOffset||0)!==0||rt(g)!==m||n&&(p.isConstant?!p.getConstantValue()||p.getConstantValue().byteLength<m:!ArrayBuffer.isView(p.value)||p.value.byteLength<c*m))return null}let f={},u=[],d=0;for(let h=0;h<t.length;h++){let p=t[h];d=V2(d),f[p.id]=d;for(let g of s[h].attributes||[])u.push({...g,byteOffset:d+(g.byteOffset||0)});d+=rt(p.getAccessor())}return d=V2(d),{id:e,attributes:t,byteStride:d,byteOffsets:f,rowCount:c,layout:{name:e,byteStride:l?0:d,stepMode:a,attributes:u}}}_getBufferLayouts(e,t,i){let n=[],o=new Set,s=new Set;for(let a of t.values())for(let c of a.attributes)s.add(c.id);for(let a of Object.values(e)){let c=a.settings.bufferGroup,l=c&&t.get(c);l&&s.has(a.id)?o.has(l.id)||(n.push(l.layout),o.add(l.id)):n.push(a.getBufferLayout(i))}return n}_getPackedBuffer(e,t){let i=JSON.stringify({byteStride:e.layout.byteStride,attributes:e.layout.attributes}),n=this.packedBuffers[e.id];if((!n||n.layoutKey!==i)&&(t=!0),t){n&&(n.packed.destroy(),delete this.packedBuffers[e.id]);let o=this._interleavePackedGroup(e);return this.packedBuffers[e.id]={packed:o,layoutKey:i},o.buffer}if(!n)throw new Error(`Attribute buffer group ${e.id} has no packed buffer`);return n.packed.buffer}_interleavePackedGroup(e){let t=e.attributes.map(n=>this._getInterleaveInput(e,n)),i=wg(...t);return Eg(this.device,i),i}_getInterleaveInput(e,t){let i=rt(t.getAccessor()),n=e.byteOffsets[t.id];if(Ms(`${e.id}.${t.id} rowByteLength`,i),Ms(`${e.id}.${t.id} groupByteOffset`,n),t.isConstant){let c=t.getConstantValue();if(!c)throw new Error(`Attribute group ${e.id} is missing constant value ${t.id}`);return Ms(`${e.id}.${t.id} constant byteOffset`,c.byteOffset),new j({id:t.id,type:"uint32",size:i/4,isConstant:!0,value:new Uint32Array(c.buffer,c.byteOffset,i/Uint32Array.BYTES_PER_ELEMENT)})}let o=t.getBuffer(),s=t.byteOffset,a=t.getAccessor().stride||i;if(Ms(`${e.id}.${t.id} byteOffset`,s),Ms(`${e.id}.${t.id} stride`,a),!o)throw new Error(`Attribute group ${e.id} cannot interleave missing buffer ${t.id}`);return new j({id:t.id,type:"uint32",size:i/4,offset:s,stride:a,length:e.rowCount,buffer:o})}};function V2(r){return Math.ceil(r/4)*4}function Ms(r,e){if(e%4!==0)throw new Error(`Attribute buffer groups require 32-bit alignment: ${r}=${e}`)}q();Be();function Sg(r){let{source:e,target:t,start:i=0,size:n,getData:o}=r,s=r.end||t.length,a=e.length,c=s-i;if(a>c){t.set(e.subarray(0,c),i);return}if(t.set(e,i),!o)return;let l=a;for(;l<c;){let f=o(l,e);for(let u=0;u<n;u++)t[i+l]=f[u]||0,l++}}function $2({source:r,target:e,size:t,getData:i,sourceStartIndices:n,targetStartIndices:o}){if(!n||!o)return Sg({source:r,target:e,size:t,getData:i}),e;let s=0,a=0,c=i&&((f,u)=>i(f+a,u)),l=Math.min(n.length,o.length);for(let f=1;f<l;f++){let u=n[f]*t,d=o[f]*t;Sg({source:r.subarray(s,u),target:e,start:a,end:d,size:t,getData:c}),s=u,a=d}return a<e.length&&Sg({source:[],target:e,start:a,size:t,getData:c}),e}function W2(r){let{device:e,settings:t,value:i}=r,n=new yi(e,t);return n.setData({value:i instanceof Float64Array?new Float64Array(0):new Float32Array(0),normalized:t.normalized}),n}function hf(r){switch(r){case 1:return"float";case 2:return"vec2";case 3:return"vec3";case 4:return"vec4";default:throw new Error(`No defined attribute type for size "${r}"`)}}function pf(r){switch(r){case 1:return"float32";case 2:return"float32x2";case 3:return"float32x3";case 4:return"float32x4";default:throw new Error("invalid type size")}}function gf(r){r.push(r.shift())}function j2(r,e){let{settings:t,value:i,size:n}=r,o=r.isDoublePrecisionBuffer?2:1,s=0,{shaderAttributes:a}=r.settings;if(a)for(let c of Object.values(a))s=Math.max(s,c.vertexOffset??0);return(t.noAlloc?i.length:(e+s)*n)*o}function mf({device:r,source:e,target:t}){return(!t||t.byteLength<e.byteLength)&&(t?.destroy(),t=r.createBuffer({byteLength:e.byteLength,usage:e.usage})),t}function _f({device:r,buffer:e,attribute:t,fromLength:i,toLength:n,fromStartIndices:o,getData:s=a=>a}){let a=t.isDoublePrecisionBuffer?2:1,c=t.size*a,l=t.byteOffset,f=t.settings.bytesPerElement<4?l/t.settings.bytesPerElement*4:l,u=t.startIndices,d=o&&u,h=t.isConstant;if(!d&&e&&i>=n)return e;let p=t.value instanceof Float64Array?Float32Array:t.value.constructor,g=h?t.value:new p(t.getBuffer().readSyncWebGL(l,n*p.BYTES_PER_ELEMENT).buffer);if(t.settings.normalized&&!h){let _=s;s=(b,w)=>t.normalizeConstant(_(b,w))}let m=h?(_,b)=>s(g,b):(_,b)=>s(g.subarray(_+l,_+l+c),b),y=e?new Float32Array(e.readSyncWebGL(f,i*4).buffer):new Float32Array(0),v=new Float32Array(n);return $2({source:y,target:v,sourceStartIndices:o,targetStartIndices:u,size:c,getData:m}),(!e||e.byteLength<v.byteLength+f)&&(e?.destroy(),e=r.createBuffer({byteLength:v.byteLength+f,usage:35050})),e.write(v,f),e}var Cn=class{constructor({device:e,attribute:t,timeline:i}){this.buffers=[],this.currentLength=0,this.device=e,this.transition=new dt(i),this.attribute=t,this.attributeInTransition=W2(t),this.currentStartIndices=t.startIndices}get inProgress(){return this.transition.inProgress}start(e,t,i=1/0){this.settings=e,this.currentStartIndices=this.attribute.startIndices,this.currentLength=j2(this.attribute,t),this.transition.start({...e,duration:i})}update(){let e=this.transition.update();return e&&this.onUpdate(),e}setBuffer(e){let{stride:t}=this.attributeInTransition.getAccessor();this.attributeInTransition.setData({buffer:e,normalized:this.attribute.settings.normalized,value:this.attributeInTransition.value,stride:t})}cancel(){this.transition.cancel()}delete(){this.cancel();for(let e of this.buffers)e.destroy();this.buffers.length=0}};var Rs=class extends Cn{constructor({device:e,attribute:t,timeline:i}){super({device:e,attribute:t,timeline:i}),this.type="interpolation",this.transform=mk(e,t)}start(e,t){let i=this.currentLength,n=this.currentStartIndices;if(super.start(e,t,e.duration),e.duration<=0){this.transition.cancel();return}let{buffers:o,attribute:s}=this;gf(o),o[0]=_f({device:this.device,buffer:o[0],attribute:s,fromLength:i,toLength:this.currentLength,fromStartIndices:n,getData:e.enter}),o[1]=mf({device:this.device,source:o[0],target:o[1]}),this.setBuffer(o[1]);let{transform:a}=this,c=a.model,l=Math.floor(this.currentLength/s.size);Y2(s)&&(l/=2),c.setVertexCount(l),s.isConstant?(c.setAttributes({aFrom:o[0]}),c.setConstantAttributes({aTo:s.value})):c.setAttributes({aFrom:o[0],aTo:s.getBuffer()}),a.transformFeedback.setBuffers({vCurrent:o[1]})}onUpdate(){let{duration:e,easing:t}=this.settings,{time:i}=this.transition,n=i/e;t&&(n=t(n));let{model:o}=this.transform,s={time:n};o.shaderInputs.setProps({interpolation:s}),this.transform.run({discard:!0})}delete(){super.delete(),this.transform.destroy()}},hk=`layout(std140) uniform interpolationUniforms {
  float time;
} interpolation;
`,H2={name:"interpolation",vs:hk,uniformTypes:{time:"f32"}},pk=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vCurrent;

void main(void) {
  vCurrent = mix(aFrom, aTo, interpolation.time);
  gl_Position = vec4(0.0);
}
`,gk=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aFrom64Low;
in ATTRIBUTE_TYPE aTo;
in ATTRIBUTE_TYPE aTo64Low;
out ATTRIBUTE_TYPE vCurrent;
out ATTRIBUTE_TYPE vCurrent64Low;

vec2 mix_fp64(vec2 a, vec2 b, float x) {
  vec2 range = sub_fp64(b, a);
  return sum_fp64(a, mul_fp64(range, vec2(x, 0.0)));
}

void main(void) {
  for (int i=0; i<ATTRIBUTE_SIZE; i++) {
    vec2 value = mix_fp64(vec2(aFrom[i], aFrom64Low[i]), vec2(aTo[i], aTo64Low[i]), interpolation.time);
    vCurrent[i] = value.x;
    vCurrent64Low[i] = value.y;
  }
  gl_Position = vec4(0.0);
}
`;function Y2(r){return r.isDoublePrecisionBuffer}function mk(r,e){let t=e.size,i=hf(t),n=pf(t),o=e.getBufferLayout();return Y2(e)?new we(r,{vs:gk,bufferLayout:[{name:"aFrom",byteStride:8*t,attributes:[{attribute:"aFrom",format:n,byteOffset:0},{attribute:"aFrom64Low",format:n,byteOffset:4*t}]},{name:"aTo",byteStride:8*t,attributes:[{attribute:"aTo",format:n,byteOffset:0},{attribute:"aTo64Low",format:n,byteOffset:4*t}]}],modules:[Rh,H2],defines:{ATTRIBUTE_TYPE:i,ATTRIBUTE_SIZE:t},moduleSettings:{},varyings:["vCurrent","vCurrent64Low"],bufferMode:35980,disableWarnings:!0}):new we(r,{vs:pk,bufferLayout:[{name:"aFrom",format:n},{name:"aTo",format:o.attributes[0].format}],modules:[H2],defines:{ATTRIBUTE_TYPE:i},varyings:["vCurrent"],disableWarnings:!0})}q();var Os=class extends Cn{constructor({device:e,attribute:t,timeline:i}){super({device:e,attribute:t,timeline:i}),this.type="spring",this.texture=wk(e),this.framebuffer=Pk(e,this.texture),this.transform=vk(e,t)}start(e,t){let i=this.currentLength,n=this.currentStartIndices;super.start(e,t);let{buffers:o,attribute:s}=this;for(let c=0;c<2;c++)o[c]=_f({device:this.device,buffer:o[c],attribute:s,fromLength:i,toLength:this.currentLength,fromStartIndices:n,getData:e.enter});o[2]=mf({device:this.device,source:o[0],target:o[2]}),this.setBuffer(o[1]);let{model:a}=this.transform;a.setVertexCount(Math.floor(this.currentLength/s.size)),s.isConstant?a.setConstantAttributes({aTo:s.value}):a.setAttributes({aTo:s.getBuffer()})}onUpdate(){let{buffers:e,transform:t,framebuffer:i,transition:n}=this,o=this.settings;t.model.setAttributes({aPrev:e[0],aCur:e[1]}),t.transformFeedback.setBuffers({vNext:e[2]});let s={stiffness:o.stiffness,damping:o.damping};t.model.shaderInputs.setProps({spring:s}),t.run({framebuffer:i,discard:!1,parameters:{viewport:[0,0,1,1]},clearColor:[0,0,0,0]}),gf(e),this.setBuffer(e[1]),this.device.readPixelsToArrayWebGL(i)[0]>0||n.end()}delete(){super.delete(),this.transform.destroy(),this.texture.destroy(),this.framebuffer.destroy()}},_k=`layout(std140) uniform springUniforms {
  float damping;
  float stiffness;
} spring;
`,yk={name:"spring",vs:_k,uniformTypes:{damping:"f32",stiffness:"f32"}},xk=`#version 300 es
#define SHADER_NAME spring-transition-vertex-shader

#define EPSILON 0.00001

in ATTRIBUTE_TYPE aPrev;
in ATTRIBUTE_TYPE aCur;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vNext;
out float vIsTransitioningFlag;

ATTRIBUTE_TYPE getNextValue(ATTRIBUTE_TYPE cur, ATTRIBUTE_TYPE prev, ATTRIBUTE_TYPE dest) {
  ATTRIBUTE_TYPE velocity = cur - prev;
  ATTRIBUTE_TYPE delta = dest - cur;
  ATTRIBUTE_TYPE force = delta * spring.stiffness;
  ATTRIBUTE_TYPE resistance = velocity * spring.damping;
  return force - resistance + velocity + cur;
}

void main(void) {
  bool isTransitioning = length(aCur - aPrev) > EPSILON || length(aTo - aCur) > EPSILON;
  vIsTransitioningFlag = isTransitioning ? 1.0 : 0.0;

  vNext = getNextValue(aCur, aPrev, aTo);
  gl_Position = vec4(0, 0, 0, 1);
  gl_PointSize = 100.0;
}
`,bk=`#version 300 es
#define SHADER_NAME spring-transition-is-transitioning-fragment-shader

in float vIsTransitioningFlag;

out vec4 fragColor;

void main(void) {
  if (vIsTransitioningFlag == 0.0) {
    discard;
  }
  fragColor = vec4(1.0);
}`;function vk(r,e){let t=hf(e.size),i=pf(e.size);return new we(r,{vs:xk,fs:bk,bufferLayout:[{name:"aPrev",format:i},{name:"aCur",format:i},{name:"aTo",format:e.getBufferLayout().attributes[0].format}],varyings:["vNext"],modules:[yk],defines:{ATTRIBUTE_TYPE:t},parameters:{depthCompare:"always",blendColorOperation:"max",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"max",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one"}})}function wk(r){return r.createTexture({data:new Uint8Array(4),format:"rgba8unorm",width:1,height:1})}function Pk(r,e){return r.createFramebuffer({id:"spring-transition-is-transitioning-framebuffer",width:1,height:1,colorAttachments:[e]})}var Ek={interpolation:Rs,spring:Os},Bs=class{constructor(e,{id:t,timeline:i}){if(!e)throw new Error("AttributeTransitionManager is constructed without device");this.id=t,this.device=e,this.timeline=i,this.transitions={},this.needsRedraw=!1,this.numInstances=1}finalize(){for(let e in this.transitions)this._removeTransition(e)}update({attributes:e,transitions:t,numInstances:i}){this.numInstances=i||1;for(let n in e){let o=e[n],s=o.getTransitionSetting(t);s&&this._updateAttribute(n,o,s)}for(let n in this.transitions){let o=e[n];(!o||!o.getTransitionSetting(t))&&this._removeTransition(n)}}hasAttribute(e){let t=this.transitions[e];return t&&t.inProgress}getAttributes(){let e={};for(let t in this.transitions){let i=this.transitions[t];i.inProgress&&(e[t]=i.attributeInTransition)}return e}run(){if(this.numInstances===0)return!1;for(let t in this.transitions)this.transitions[t].update()&&(this.needsRedraw=!0);let e=this.needsRedraw;return this.needsRedraw=!1,e}_removeTransition(e){this.transitions[e].delete(),delete this.transitions[e]}_updateAttribute(e,t,i){let n=this.transitions[e],o=!n||n.type!==i.type;if(o){n&&this._removeTransition(e);let s=Ek[i.type];s?this.transitions[e]=new s({attribute:t,timeline:this.timeline,device:this.device}):(B.error(`unsupported transition type '${i.type}'`)(),o=!1)}(o||t.needsRedraw())&&(this.needsRedraw=!0,this.transitions[e].start(i,this.numInstances))}};var q2="attributeManager.invalidate",Sk="attributeManager.updateStart",Tk="attributeManager.updateEnd",Lk="attribute.updateStart",Ck="attribute.allocate",Ak="attribute.updateEnd",Ds=class{constructor(e,{id:t="attribute-manager",stats:i,timeline:n}={}){this.mergeBoundsMemoized=At(F0),this.id=t,this.device=e,this.attributes={},this.updateTriggers={},this.needsRedraw=!0,this.userData={},this.stats=i,this.attributeTransitionManager=new Bs(e,{id:`${t}-transitions`,timeline:n}),this.attributeBufferGroups=e.type==="webgpu"?new Is(e,{id:t,isTransitionAttribute:o=>this.attributeTransitionManager.hasAttribute(o)}):null,Object.seal(this)}finalize(){this.attributeBufferGroups?.finalize();for(let e in this.attributes)this.attributes[e].delete();this.attributeTransitionManager.finalize()}getNeedsRedraw(e={clearRedrawFlags:!1}){let t=this.needsRedraw;return this.needsRedraw=this.needsRedraw&&!e.clearRedrawFlags,t&&this.id}setNeedsRedraw(){this.needsRedraw=!0}add(e){this._add(e)}addInstanced(e){this._add(e,{stepMode:"instance"})}remove(e){for(let t of e)this.attributes[t]!==void 0&&(this.attributes[t].delete(),delete this.attributes[t])}invalidate(e,t){let i=this._invalidateTrigger(e,t);ee(q2,this,e,i)}invalidateAll(e){for(let t in this.attributes)this.attributes[t].setNeedsUpdate(t,e);ee(q2,this,"all")}update({data:e,numInstances:t,startIndices:i=null,transitions:n,props:o={},buffers:s={},context:a={}}){let c=!1;ee(Sk,this),this.stats&&this.stats.get("Update Attributes").timeStart();for(let l in this.attributes){let f=this.attributes[l],u=f.settings.accessor;f.startIndices=i,f.numInstances=t,o[l]&&B.removed(`props.${l}`,`data.attributes.${l}`)(),f.setExternalBuffer(s[l])||f.setBinaryValue(typeof u=="string"?s[u]:void 0,e.startIndices)||typeof u=="string"&&!s[u]&&f.setConstantValue(a,o[u])||f.needsUpdate()&&(c=!0,this._updateAttribute({attribute:f,numInstances:t,data:e,props:o,context:a})),this.needsRedraw=this.needsRedraw||f.needsRedraw()}c&&ee(Tk,this,t),this.stats&&(this.stats.get("Update Attributes").timeEnd(),c&&this.stats.get("Attributes updated").incrementCount()),this.attributeTransitionManager.update({attributes:this.attributes,numInstances:t,transitions:n})}updateTransition(){let{attributeTransitionManager:e}=this,t=e.run();return this.needsRedraw=this.needsRedraw||t,t}getAttributes(){return{...this.attributes,...this.attributeTransitionManager.getAttributes()}}getBounds(e){let t=e.map(i=>this.attributes[i]?.getBounds());return this.mergeBoundsMemoized(t)}getChangedAttributes(e={clearChangedFlags:!1}){let{attributes:t,attributeTransitionManager:i}=this,n={...i.getAttributes()};for(let o in t){let s=t[o];s.needsRedraw(e)&&!i.hasAttribute(o)&&(n[o]=s)}return n}getBufferLayouts(e){return this.hasBufferGroups()?this.attributeBufferGroups.getBufferLayouts(this.getAttributes(),e):Object.values(this.getAttributes()).map(t=>t.getBufferLayout(e))}hasBufferGroups(){return!!this.attributeBufferGroups?.hasGroups(this.attributes)}getBufferGroupBindings(e,t,i={}){return this.attributeBufferGroups?this.attributeBufferGroups.getBindings(this.getAttributes(),e,t,i):{bufferLayouts:this.getBufferLayouts(t),buffers:{},groupedAttributeIds:new Set}}_add(e,t){for(let i in e){let n=e[i],o={...n,id:i,size:n.isIndexed&&1||n.size||1,...t};this.attributes[i]=new yi(this.device,o)}this._mapUpdateTriggersToAttributes()}_mapUpdateTriggersToAttributes(){let e={};for(let t in this.attributes)this.attributes[t].getUpdateTriggers().forEach(n=>{e[n]||(e[n]=[]),e[n].push(t)});this.updateTriggers=e}_invalidateTrigger(e,t){let{attributes:i,updateTriggers:n}=this,o=n[e];return o&&o.forEach(s=>{let a=i[s];a&&a.setNeedsUpdate(a.id,t)}),o}_updateAttribute(e){let{attribute:t,numInstances:i}=e;if(ee(Lk,t),t.constant){t.setConstantValue(e.context,t.value);return}t.allocate(i)&&ee(Ck,t,i),t.updateBuffer(e)&&(this.needsRedraw=!0,ee(Ak,t,i))}};D();Gl();_e();var ks=class extends dt{get value(){return this._value}_onUpdate(){let{time:e,settings:{fromValue:t,toValue:i,duration:n,easing:o}}=this,s=o(e/n);this._value=nt(t,i,s)}};var Z2=1e-5;function X2(r,e,t,i,n){let o=e-r,a=(t-e)*n,c=-o*i;return a+c+o+e}function Mk(r,e,t,i,n){if(Array.isArray(t)){let o=[];for(let s=0;s<t.length;s++)o[s]=X2(r[s],e[s],t[s],i,n);return o}return X2(r,e,t,i,n)}function K2(r,e){if(Array.isArray(r)){let t=0;for(let i=0;i<r.length;i++){let n=r[i]-e[i];t+=n*n}return Math.sqrt(t)}return Math.abs(r-e)}var Ns=class extends dt{get value(){return this._currValue}_onUpdate(){let{fromValue:e,toValue:t,damping:i,stiffness:n}=this.settings,{_prevValue:o=e,_currValue:s=e}=this,a=Mk(o,s,t,i,n),c=K2(a,t),l=K2(a,s);c<Z2&&l<Z2&&(a=t,this.end()),this._prevValue=s,this._currValue=a}};var Ik={interpolation:ks,spring:Ns},Fs=class{constructor(e){this.transitions=new Map,this.timeline=e}get active(){return this.transitions.size>0}add(e,t,i,n){let{transitions:o}=this;if(o.has(e)){let c=o.get(e),{value:l=c.settings.fromValue}=c;t=l,this.remove(e)}if(n=Yl(n),!n)return;let s=Ik[n.type];if(!s){B.error(`unsupported transition type '${n.type}'`)();return}let a=new s(this.timeline);a.start({...n,fromValue:t,toValue:i}),o.set(e,a)}remove(e){let{transitions:t}=this;t.has(e)&&(t.get(e).cancel(),t.delete(e))}update(){let e={};for(let[t,i]of this.transitions)i.update(),e[t]=i.value,i.inProgress||this.remove(t);return e}clear(){for(let e of this.transitions.keys())this.remove(e)}};function J2(r){let e=r[tt];for(let t in e){let i=e[t],{validate:n}=i;if(n&&!n(r[t],i))throw new Error(`Invalid prop ${t}: ${r[t]}`)}}function eE(r,e){let t=tE({newProps:r,oldProps:e,propTypes:r[tt],ignoreProps:{data:null,updateTriggers:null,extensions:null,transitions:null}}),i=Ok(r,e),n=!1;return i||(n=Bk(r,e)),{dataChanged:i,propsChanged:t,updateTriggersChanged:n,extensionsChanged:Dk(r,e),transitionsChanged:Rk(r,e)}}function Rk(r,e){if(!r.transitions)return!1;let t={},i=r[tt],n=!1;for(let o in r.transitions){let s=i[o],a=s&&s.type;(a==="number"||a==="color"||a==="array")&&Tg(r[o],e[o],s)&&(t[o]=!0,n=!0)}return n?t:!1}function tE({newProps:r,oldProps:e,ignoreProps:t={},propTypes:i={},triggerName:n="props"}){if(e===r)return!1;if(typeof r!="object"||r===null)return`${n} changed shallowly`;if(typeof e!="object"||e===null)return`${n} changed shallowly`;for(let o of Object.keys(r))if(!(o in t)){if(!(o in e))return`${n}.${o} added`;let s=Tg(r[o],e[o],i[o]);if(s)return`${n}.${o} ${s}`}for(let o of Object.keys(e))if(!(o in t)){if(!(o in r))return`${n}.${o} dropped`;if(!Object.hasOwnProperty.call(r,o)){let s=Tg(r[o],e[o],i[o]);if(s)return`${n}.${o} ${s}`}}return!1}function Tg(r,e,t){let i=t&&t.equal;return i&&!i(r,e,t)||!i&&(i=r&&e&&r.equals,i&&!i.call(r,e))?"changed deeply":!i&&e!==r?"changed shallowly":null}function Ok(r,e){if(e===null)return"oldProps is null, initial diff";let t=!1,{dataComparator:i,_dataDiff:n}=r;return i?i(r.data,e.data)||(t="Data comparator detected a change"):r.data!==e.data&&(t="A new data container was supplied"),t&&n&&(t=n(r.data,e.data)||t),t}function Bk(r,e){if(e===null)return{all:!0};if("all"in r.updateTriggers&&Q2(r,e,"all"))return{all:!0};let t={},i=!1;for(let n in r.updateTriggers)n!=="all"&&Q2(r,e,n)&&(t[n]=!0,i=!0);return i?t:!1}function Dk(r,e){if(e===null)return!0;let t=e.extensions,{extensions:i}=r;if(i===t)return!1;if(!t||!i||i.length!==t.length)return!0;for(let n=0;n<i.length;n++)if(!i[n].equals(t[n]))return!0;return!1}function Q2(r,e,t){let i=r.updateTriggers[t];i=i??{};let n=e.updateTriggers[t];return n=n??{},tE({oldProps:n,newProps:i,triggerName:t})}var kk="count(): argument not an object",Nk="count(): argument not a container";function rE(r){if(!zk(r))throw new Error(kk);if(typeof r.count=="function")return r.count();if(Number.isFinite(r.size))return r.size;if(Number.isFinite(r.length))return r.length;if(Fk(r))return Object.keys(r).length;throw new Error(Nk)}function Fk(r){return r!==null&&typeof r=="object"&&r.constructor===Object}function zk(r){return r!==null&&typeof r=="object"}function Lg(r,e){if(!e)return r;let t={...r,...e};if("defines"in e&&(t.defines={...r.defines,...e.defines}),"modules"in e&&(t.modules=(r.modules||[]).concat(e.modules),e.modules.some(i=>i.name==="project64"))){let i=t.modules.findIndex(n=>n.name==="project32");i>=0&&t.modules.splice(i,1)}if("inject"in e)if(!r.inject)t.inject=e.inject;else{let i={...r.inject};for(let n in e.inject)i[n]=(i[n]||"")+e.inject[n];t.inject=i}return t}D();var Uk={minFilter:"linear",mipmapFilter:"linear",magFilter:"linear",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge"},Cg={};function iE(r,e,t,i){if(t instanceof V)return t;t.constructor&&t.constructor.name!=="Object"&&(t={data:t});let n=null;t.compressed&&(n={minFilter:"linear",mipmapFilter:t.data.length>1?"nearest":"linear"});let{width:o,height:s}=t.data,a=e.createTexture({...t,sampler:{...Uk,...n,...i},mipLevels:e.getMipLevelCount(o,s)});return e.type==="webgl"?a.generateMipmapsWebGL():e.type==="webgpu"&&e.generateMipmapsWebGPU(a),Cg[a.id]=r,a}function nE(r,e){!e||!(e instanceof V)||Cg[e.id]===r&&(e.delete(),delete Cg[e.id])}var Gk={boolean:{validate(r,e){return!0},equal(r,e,t){return!!r==!!e}},number:{validate(r,e){return Number.isFinite(r)&&(!("max"in e)||r<=e.max)&&(!("min"in e)||r>=e.min)}},color:{validate(r,e){return e.optional&&!r||Ag(r)&&(r.length===3||r.length===4)},equal(r,e,t){return te(r,e,1)}},accessor:{validate(r,e){let t=yf(r);return t==="function"||t===yf(e.value)},equal(r,e,t){return typeof e=="function"?!0:te(r,e,1)}},array:{validate(r,e){return e.optional&&!r||Ag(r)},equal(r,e,t){let{compare:i}=t,n=Number.isInteger(i)?i:i?1:0;return i?te(r,e,n):r===e}},object:{equal(r,e,t){if(t.ignore)return!0;let{compare:i}=t,n=Number.isInteger(i)?i:i?1:0;return i?te(r,e,n):r===e}},function:{validate(r,e){return e.optional&&!r||typeof r=="function"},equal(r,e,t){return!t.compare&&t.ignore!==!1||r===e}},data:{transform:(r,e,t)=>{if(!r)return r;let{dataTransform:i}=t.props;return i?i(r):typeof r.shape=="string"&&r.shape.endsWith("-table")&&Array.isArray(r.data)?r.data:r}},image:{transform:(r,e,t)=>{let i=t.context;return!i||!i.device?null:iE(t.id,i.device,r,{...e.parameters,...t.props.textureParameters})},release:(r,e,t)=>{nE(t.id,r)}}};function oE(r){let e={},t={},i={};for(let[n,o]of Object.entries(r)){let s=o?.deprecatedFor;if(s)i[n]=Array.isArray(s)?s:[s];else{let a=Vk(n,o);e[n]=a,t[n]=a.value}}return{propTypes:e,defaultProps:t,deprecatedProps:i}}function Vk(r,e){switch(yf(e)){case"object":return zs(r,e);case"array":return zs(r,{type:"array",value:e,compare:!1});case"boolean":return zs(r,{type:"boolean",value:e});case"number":return zs(r,{type:"number",value:e});case"function":return zs(r,{type:"function",value:e,compare:!0});default:return{name:r,type:"unknown",value:e}}}function zs(r,e){return"type"in e?{name:r,...Gk[e.type],...e}:"value"in e?{name:r,type:yf(e.value),...e}:{name:r,type:"object",value:e}}function Ag(r){return Array.isArray(r)||ArrayBuffer.isView(r)}function yf(r){return Ag(r)?"array":r===null?"null":typeof r}function sE(r,e){let t;for(let o=e.length-1;o>=0;o--){let s=e[o];"extensions"in s&&(t=s.extensions)}let i=Mg(r.constructor,t),n=Object.create(i);n[un]=r,n[Rt]={},n[ut]={};for(let o=0;o<e.length;++o){let s=e[o];for(let a in s)n[a]=s[a]}return Object.freeze(n),n}var $k="_mergedDefaultProps";function Mg(r,e){if(!(r instanceof xf.constructor))return{};let t=$k;if(e)for(let n of e){let o=n.constructor;o&&(t+=`:${o.extensionName||o.name}`)}let i=aE(r,t);return i||(r[t]=Wk(r,e||[]))}function Wk(r,e){if(!r.prototype)return null;let i=Object.getPrototypeOf(r),n=Mg(i),o=aE(r,"defaultProps")||{},s=oE(o),a=Object.assign(Object.create(null),n,s.defaultProps),c=Object.assign(Object.create(null),n?.[tt],s.propTypes),l=Object.assign(Object.create(null),n?.[il],s.deprecatedProps);for(let f of e){let u=Mg(f.constructor);u&&(Object.assign(a,u),Object.assign(c,u[tt]),Object.assign(l,u[il]))}return jk(a,r),Yk(a,c),Hk(a,l),a[tt]=c,a[il]=l,e.length===0&&!Ig(r,"_propTypes")&&(r._propTypes=c),a}function jk(r,e){let t=Zk(e);Object.defineProperties(r,{id:{writable:!0,value:t}})}function Hk(r,e){for(let t in e)Object.defineProperty(r,t,{enumerable:!1,set(i){let n=`${this.id}: ${t}`;for(let o of e[t])Ig(this,o)||(this[o]=i);B.deprecated(n,e[t].join("/"))()}})}function Yk(r,e){let t={},i={};for(let n in e){let o=e[n],{name:s,value:a}=o;o.async&&(t[s]=a,i[s]=qk(s))}r[Xt]=t,r[Rt]={},Object.defineProperties(r,i)}function qk(r){return{enumerable:!0,set(e){typeof e=="string"||e instanceof Promise||jl(e)?this[Rt][r]=e:this[ut][r]=e},get(){if(this[ut]){if(r in this[ut])return this[ut][r]||this[Xt][r];if(r in this[Rt]){let e=this[un]&&this[un].internalState;if(e&&e.hasAsyncProp(r))return e.getAsyncProp(r)||this[Xt][r]}}return this[Xt][r]}}}function Ig(r,e){return Object.prototype.hasOwnProperty.call(r,e)}function aE(r,e){return Ig(r,e)&&r[e]}function Zk(r){let e=r.componentName;return e||B.warn(`${r.name}.componentName not specified`)(),e||r.name}var Xk=0,Us=class{constructor(...e){this.props=sE(this,e),this.id=this.props.id,this.count=Xk++}clone(e){let{props:t}=this,i={};for(let n in t[Xt])n in t[ut]?i[n]=t[ut][n]:n in t[Rt]&&(i[n]=t[Rt][n]);return new this.constructor({...t,...i,...e})}};Us.componentName="Component";Us.defaultProps={};var xf=Us;var Kk=Object.freeze({}),Gs=class{constructor(e){this.component=e,this.asyncProps={},this.onAsyncPropUpdated=()=>{},this.oldProps=null,this.oldAsyncProps=null}finalize(){for(let e in this.asyncProps){let t=this.asyncProps[e];t&&t.type&&t.type.release&&t.type.release(t.resolvedValue,t.type,this.component)}this.asyncProps={},this.component=null,this.resetOldProps()}getOldProps(){return this.oldAsyncProps||this.oldProps||Kk}resetOldProps(){this.oldAsyncProps=null,this.oldProps=this.component?this.component.props:null}hasAsyncProp(e){return e in this.asyncProps}getAsyncProp(e){let t=this.asyncProps[e];return t&&t.resolvedValue}isAsyncPropLoading(e){if(e){let t=this.asyncProps[e];return!!(t&&t.pendingLoadCount>0&&t.pendingLoadCount!==t.resolvedLoadCount)}for(let t in this.asyncProps)if(this.isAsyncPropLoading(t))return!0;return!1}reloadAsyncProp(e,t){this._watchPromise(e,Promise.resolve(t))}setAsyncProps(e){this.component=e[un]||this.component;let t=e[ut]||{},i=e[Rt]||e,n=e[Xt]||{};for(let o in t){let s=t[o];this._createAsyncPropData(o,n[o]),this._updateAsyncProp(o,s),t[o]=this.getAsyncProp(o)}for(let o in i){let s=i[o];this._createAsyncPropData(o,n[o]),this._updateAsyncProp(o,s)}}_fetch(e,t){return null}_onResolve(e,t){}_onError(e,t){}_updateAsyncProp(e,t){if(this._didAsyncInputValueChange(e,t)){if(typeof t=="string"&&(t=this._fetch(e,t)),t instanceof Promise){this._watchPromise(e,t);return}if(jl(t)){this._resolveAsyncIterable(e,t);return}this._setPropValue(e,t)}}_freezeAsyncOldProps(){if(!this.oldAsyncProps&&this.oldProps){this.oldAsyncProps=Object.create(this.oldProps);for(let e in this.asyncProps)Object.defineProperty(this.oldAsyncProps,e,{enumerable:!0,value:this.oldProps[e]})}}_didAsyncInputValueChange(e,t){let i=this.asyncProps[e];return t===i.resolvedValue||t===i.lastValue?!1:(i.lastValue=t,!0)}_setPropValue(e,t){this._freezeAsyncOldProps();let i=this.asyncProps[e];i&&(t=this._postProcessValue(i,t),i.resolvedValue=t,i.pendingLoadCount++,i.resolvedLoadCount=i.pendingLoadCount)}_setAsyncPropValue(e,t,i){let n=this.asyncProps[e];n&&i>=n.resolvedLoadCount&&t!==void 0&&(this._freezeAsyncOldProps(),n.resolvedValue=t,n.resolvedLoadCount=i,this.onAsyncPropUpdated(e,t))}_watchPromise(e,t){let i=this.asyncProps[e];if(i){i.pendingLoadCount++;let n=i.pendingLoadCount;t.then(o=>{this.component&&(o=this._postProcessValue(i,o),this._setAsyncPropValue(e,o,n),this._onResolve(e,o))}).catch(o=>{this._onError(e,o)})}}async _resolveAsyncIterable(e,t){if(e!=="data"){this._setPropValue(e,t);return}let i=this.asyncProps[e];if(!i)return;i.pendingLoadCount++;let n=i.pendingLoadCount,o=[],s=0;for await(let a of t){if(!this.component)return;let{dataTransform:c}=this.component.props;c?o=c(a,o):o=o.concat(a),Object.defineProperty(o,"__diff",{enumerable:!1,value:[{startRow:s,endRow:o.length}]}),s=o.length,this._setAsyncPropValue(e,o,n)}this._onResolve(e,o)}_postProcessValue(e,t){let i=e.type;return i&&this.component&&(i.release&&i.release(e.resolvedValue,i,this.component),i.transform)?i.transform(t,i,this.component):t}_createAsyncPropData(e,t){if(!this.asyncProps[e]){let n=this.component&&this.component.props[tt];this.asyncProps[e]={type:n&&n[e],lastValue:null,resolvedValue:t,pendingLoadCount:0,resolvedLoadCount:0}}}};var Vs=class extends Gs{constructor({attributeManager:e,layer:t}){super(t),this.attributeManager=e,this.needsRedraw=!0,this.needsUpdate=!0,this.subLayers=null,this.usesPickingColorCache=!1,this.disabledPickingIndices=[]}get layer(){return this.component}_fetch(e,t){let i=this.layer,n=i?.props.fetch;return n?n(t,{propName:e,layer:i}):super._fetch(e,t)}_onResolve(e,t){let i=this.layer;if(i){let n=i.props.onDataLoad;e==="data"&&n&&n(t,{propName:e,layer:i})}}_onError(e,t){let i=this.layer;i&&i.raiseError(t,`loading ${e} of ${this.layer}`)}};var Qk="layer.changeFlag",Jk="layer.initialize",e6="layer.update",t6="layer.finalize",r6="layer.matched",cE=2**24-1,i6=Object.freeze([]),n6=At(({oldViewport:r,viewport:e})=>r.equals(e)),it=new Uint8ClampedArray(0);function lE(r){return r.rowIndexes||r.pickingColors||r.instancePickingColors}function Rg(r){return r.rowIndexes}function Og(r){return r.pickingColors||r.instancePickingColors}var o6={data:{type:"data",value:i6,async:!0},dataComparator:{type:"function",value:null,optional:!0},_dataDiff:{type:"function",value:r=>r&&r.__diff,optional:!0},dataTransform:{type:"function",value:null,optional:!0},onDataLoad:{type:"function",value:null,optional:!0},onError:{type:"function",value:null,optional:!0},fetch:{type:"function",value:(r,{propName:e,layer:t,loaders:i,loadOptions:n,signal:o})=>{let{resourceManager:s}=t.context;n=n||t.getLoadOptions(),i=i||t.props.loaders,o&&(n={...n,core:{...n?.core,fetch:{...n?.core?.fetch,signal:o}}});let a=s.contains(r);return!a&&!n&&(s.add({resourceId:r,data:or(r,i),persistent:!1}),a=!0),a?s.subscribe({resourceId:r,onChange:c=>t.internalState?.reloadAsyncProp(e,c),consumerId:t.id,requestId:e}):or(r,i,n)}},updateTriggers:{},visible:!0,pickable:!1,opacity:{type:"number",min:0,max:1,value:1},operation:"draw",onHover:{type:"function",value:null,optional:!0},onClick:{type:"function",value:null,optional:!0},onDragStart:{type:"function",value:null,optional:!0},onDrag:{type:"function",value:null,optional:!0},onDragEnd:{type:"function",value:null,optional:!0},coordinateSystem:"default",coordinateOrigin:{type:"array",value:[0,0,0],compare:!0},modelMatrix:{type:"array",value:null,compare:!0,optional:!0},wrapLongitude:!1,positionFormat:"XYZ",colorFormat:"RGBA",parameters:{type:"object",value:{},optional:!0,compare:2},loadOptions:{type:"object",value:null,optional:!0,ignore:!0},transitions:null,extensions:[],loaders:{type:"array",value:[],optional:!0,ignore:!0},getPolygonOffset:{type:"function",value:({layerIndex:r})=>[0,-r*100]},highlightedObjectIndex:null,autoHighlight:!1,highlightColor:{type:"accessor",value:[0,0,128,128]}},$s=class extends xf{constructor(){super(...arguments),this.internalState=null,this.lifecycle=br.NO_STATE,this.parent=null}static get componentName(){return Object.prototype.hasOwnProperty.call(this,"layerName")?this.layerName:""}get root(){let e=this;for(;e.parent;)e=e.parent;return e}toString(){return`${this.constructor.layerName||this.constructor.name}({id: '${this.props.id}'})`}project(e){$(this.internalState);let t=this.internalState.viewport||this.context.viewport,i=Jc(e,{viewport:t,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem}),[n,o,s]=_r(i,t.pixelProjectionMatrix);return e.length===2?[n,o]:[n,o,s]}unproject(e){return $(this.internalState),(this.internalState.viewport||this.context.viewport).unproject(e)}projectPosition(e,t){$(this.internalState);let i=this.internalState.viewport||this.context.viewport;return G0(e,{viewport:i,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem,...t})}get isComposite(){return!1}get isDrawable(){return!0}setState(e){this.setChangeFlags({stateChanged:!0}),Object.assign(this.state,e),this.setNeedsRedraw()}setNeedsRedraw(){this.internalState&&(this.internalState.needsRedraw=!0)}setNeedsUpdate(){this.internalState&&(this.context.layerManager.setNeedsUpdate(String(this)),this.internalState.needsUpdate=!0)}get isLoaded(){return this.internalState?!this.internalState.isAsyncPropLoading():!1}get wrapLongitude(){return this.props.wrapLongitude}isPickable(){return this.props.pickable&&this.props.visible}getModels(){let e=this.state;return e&&(e.models||e.model&&[e.model])||[]}setShaderModuleProps(...e){for(let t of this.getModels())t.shaderInputs.setProps(...e)}getAttributeManager(){return this.internalState&&this.internalState.attributeManager}getCurrentLayer(){return this.internalState&&this.internalState.layer}getLoadOptions(){return this.props.loadOptions}use64bitPositions(){let{coordinateSystem:e}=this.props;return e==="default"||e==="lnglat"||e==="cartesian"}onHover(e,t){return this.props.onHover&&this.props.onHover(e,t)||!1}onClick(e,t){return this.props.onClick&&this.props.onClick(e,t)||!1}nullPickingColor(){return[0,0,0]}encodePickingColor(e,t=[]){return t[0]=e+1&255,t[1]=e+1>>8&255,t[2]=e+1>>8>>8&255,t}decodePickingColor(e){$(e instanceof Uint8Array);let[t,i,n]=e;return t+i*256+n*65536-1}getNumInstances(){return Number.isFinite(this.props.numInstances)?this.props.numInstances:this.state&&this.state.numInstances!==void 0?this.state.numInstances:rE(this.props.data)}getStartIndices(){return this.props.startIndices?this.props.startIndices:this.state&&this.state.startIndices?this.state.startIndices:null}getBounds(){return this.getAttributeManager()?.getBounds(["positions","instancePositions"])}getShaders(e){e=Lg(e,{disableWarnings:!0,modules:this.context.defaultShaderModules});for(let t of this.props.extensions)e=Lg(e,t.getShaders.call(this,t));return e}shouldUpdateState(e){return e.changeFlags.propsOrDataChanged}updateState(e){let t=this.getAttributeManager(),{dataChanged:i}=e.changeFlags;if(i&&t)if(Array.isArray(i))for(let n of i)t.invalidateAll(n);else t.invalidateAll();if(t){let{props:n}=e,o=this.internalState.hasPickingBuffer,s=Number.isInteger(n.highlightedObjectIndex)||!!n.pickable||n.extensions.some(a=>a.getNeedsPickingBuffer.call(this,a));if(o!==s){this.internalState.hasPickingBuffer=s;let a=lE(t.attributes);a&&(s&&a.constant&&(a.constant=!1,t.invalidate(a.id)),!a.value&&!s&&(a.constant=!0,a.value=Rg(t.attributes)?[Vo]:[0,0,0]))}}}finalizeState(e){for(let i of this.getModels())i.destroy();let t=this.getAttributeManager();t&&t.finalize(),this.context&&this.context.resourceManager.unsubscribe({consumerId:this.id}),this.internalState&&(this.internalState.uniformTransitions.clear(),this.internalState.finalize())}draw(e){for(let t of this.getModels())t.draw(e.renderPass)}getPickingInfo({info:e,mode:t,sourceLayer:i}){let{index:n}=e;return n>=0&&Array.isArray(this.props.data)&&(e.object=this.props.data[n]),e}raiseError(e,t){t&&(e=new Error(`${t}: ${e.message}`,{cause:e})),this.props.onError?.(e)||this.context?.onError?.(e,this)}getNeedsRedraw(e={clearRedrawFlags:!1}){return this._getNeedsRedraw(e)}needsUpdate(){return this.internalState?this.internalState.needsUpdate||this.hasUniformTransition()||this.shouldUpdateState(this._getUpdateParams()):!1}hasUniformTransition(){return this.internalState?.uniformTransitions.active||!1}activateViewport(e){if(!this.internalState)return;let t=this.internalState.viewport;this.internalState.viewport=e,(!t||!n6({oldViewport:t,viewport:e}))&&(this.setChangeFlags({viewportChanged:!0}),this.isComposite?this.needsUpdate()&&this.setNeedsUpdate():this._update())}invalidateAttribute(e="all"){let t=this.getAttributeManager();t&&(e==="all"?t.invalidateAll():t.invalidate(e))}updateAttributes(e){let t=!1;for(let i in e)e[i].layoutChanged()&&(t=!0);for(let i of this.getModels())this._setModelAttributes(i,e,t)}_updateAttributes(){let e=this.getAttributeManager();if(!e)return;let t=this.props,i=this.getNumInstances(),n=this.getStartIndices();e.update({data:t.data,numInstances:i,startIndices:n,props:t,transitions:t.transitions,buffers:t.data.attributes,context:this});let o=e.getChangedAttributes({clearChangedFlags:!0});this.updateAttributes(o)}_updateAttributeTransition(){let e=this.getAttributeManager();e&&e.updateTransition()}_updateUniformTransition(){let{uniformTransitions:e}=this.internalState;if(e.active){let t=e.update(),i=Object.create(this.props);for(let n in t)Object.defineProperty(i,n,{value:t[n]});return i}return this.props}calculateInstancePickingColors(e,{numInstances:t}){if(e.constant)return;let i=Math.floor(it.length/4);this.internalState.usesPickingColorCache=!0;let n=t>0&&it[0]===0;if(i<t||n){t>cE&&B.warn("Layer has too many data objects. Picking might not be able to distinguish all objects.")(),it=ft.allocate(it,t,{size:4,copy:!0,maxCount:Math.max(t,cE)});let o=Math.floor(it.length/4),s=[0,0,0],a=n?0:i;for(let c=a;c<o;c++)this.encodePickingColor(c,s),it[c*4+0]=s[0],it[c*4+1]=s[1],it[c*4+2]=s[2],it[c*4+3]=0}e.value=it.subarray(0,t*4)}_setModelAttributes(e,t,i=!1){if(!Object.keys(t).length)return;let n=this.getAttributeManager();if(n?.hasBufferGroups()){this._setGroupedModelAttributes(e,n,t);return}if(i){let c=this.getAttributeManager();e.setBufferLayout(c.getBufferLayouts(e)),t=c.getAttributes()}let o=e.userData?.excludeAttributes||{},s={},a={};for(let c in t){if(o[c])continue;let l=t[c].getValue();for(let f in l){let u=l[f];u instanceof F?t[c].settings.isIndexed?e.setIndexBuffer(u):s[f]=u:u&&(a[f]=u)}}e.setAttributes(s),e.setConstantAttributes(a)}_setGroupedModelAttributes(e,t,i){let n=e.userData?.excludeAttributes||{},o=t.getBufferGroupBindings(i,e,n);e.setBufferLayout(o.bufferLayouts);let s={...o.buffers},a={},c=t.getAttributes();for(let l in c){if(n[l]||o.groupedAttributeIds.has(l))continue;let f=c[l],u=f.getValue();for(let d in u){let h=u[d];h instanceof F?f.settings.isIndexed?e.setIndexBuffer(h):s[d]=h:h&&(a[d]=h)}}e.setAttributes(s),e.setConstantAttributes(a)}disablePickingIndex(e){let t=this.props.data;if(!("attributes"in t)){this._disablePickingIndex(e);return}let i=this.getAttributeManager().attributes,n=Rg(i),o=Og(i),s=n&&t.attributes&&t.attributes[n.id];if(s&&s.value){let c=s.value;for(let l=0;l<t.length;l++){let f=n.getVertexOffset(l);c[f]===e&&this._disablePickingIndex(l)}return}let a=o&&t.attributes&&t.attributes[o.id];if(a&&a.value){let c=a.value,l=this.encodePickingColor(e);for(let f=0;f<t.length;f++){let u=o.getVertexOffset(f);c[u]===l[0]&&c[u+1]===l[1]&&c[u+2]===l[2]&&this._disablePickingIndex(f)}}else this._disablePickingIndex(e)}_disablePickingIndex(e){let t=this.getAttributeManager().attributes,i=Rg(t);if(i){let a=i.getVertexOffset(e),c=i.getVertexOffset(e+1),l=new Uint32Array(c-a);l.fill(Vo),i.buffer.write(l,a*l.BYTES_PER_ELEMENT);return}let n=Og(t);if(!n){this.internalState&&M0(this.internalState.disabledPickingIndices,e);return}let o=n.getVertexOffset(e),s=n.getVertexOffset(e+1);n.buffer.write(new Uint8Array(s-o),o)}restorePickingColors(){let e=this.getAttributeManager().attributes,t=lE(e);if(!t){this.internalState&&(this.internalState.disabledPickingIndices.length=0);return}let i=Og(e);this.internalState.usesPickingColorCache&&i&&i.value.buffer!==it.buffer&&(i.value=it.subarray(0,i.value.length)),t.updateSubBuffer({startOffset:0})}_initialize(){$(!this.internalState),ee(Jk,this);let e=this._getAttributeManager();this.internalState=new Vs({attributeManager:e,layer:this}),this._clearChangeFlags(),this.state={},Object.defineProperty(this.state,"attributeManager",{get:()=>(B.deprecated("layer.state.attributeManager","layer.getAttributeManager()")(),e)}),this.internalState.uniformTransitions=new Fs(this.context.timeline),this.internalState.onAsyncPropUpdated=this._onAsyncPropUpdated.bind(this),this.internalState.setAsyncProps(this.props),this.initializeState(this.context);for(let t of this.props.extensions)t.initializeState.call(this,this.context,t);this.setChangeFlags({dataChanged:"init",propsChanged:"init",viewportChanged:!0,extensionsChanged:!0}),this._update()}_transferState(e){ee(r6,this,this===e);let{state:t,internalState:i}=e;this!==e&&(this.internalState=i,this.state=t,this.internalState.setAsyncProps(this.props),this._diffProps(this.props,this.internalState.getOldProps()))}_update(){let e=this.needsUpdate();if(ee(e6,this,e),!e)return;this.context.stats.get("Layer updates").incrementCount();let t=this.props,i=this.context,n=this.internalState,o=i.viewport,s=this._updateUniformTransition();n.propsInTransition=s,i.viewport=n.viewport||o,this.props=s;try{let a=this._getUpdateParams(),c=this.getModels();if(i.device)this.updateState(a);else try{this.updateState(a)}catch{}for(let f of this.props.extensions)f.updateState.call(this,a,f);this.setNeedsRedraw(),this._updateAttributes();let l=this.getModels()[0]!==c[0];this._postUpdate(a,l)}finally{i.viewport=o,this.props=t,this._clearChangeFlags(),n.needsUpdate=!1,n.resetOldProps()}}_finalize(){ee(t6,this),this.finalizeState(this.context);for(let e of this.props.extensions)e.finalizeState.call(this,this.context,e)}_drawLayer({renderPass:e,shaderModuleProps:t=null,uniforms:i={},parameters:n={}}){this._updateAttributeTransition();let o=this.props,s=this.context;this.props=this.internalState.propsInTransition||o;try{t&&this.setShaderModuleProps(t);let{getPolygonOffset:a}=this.props,c=a&&a(i)||[0,0];s.device instanceof wr&&s.device.setParametersWebGL({polygonOffset:c});let l=s.device instanceof wr?null:s6(n);if(a6(this.getModels(),e,n,l),s.device instanceof wr)s.device.withParametersWebGL(n,()=>{let f={renderPass:e,shaderModuleProps:t,uniforms:i,parameters:n,context:s};for(let u of this.props.extensions)u.draw.call(this,f,u);this.draw(f)});else{l?.renderPassParameters&&e.setParameters(l.renderPassParameters);let f={renderPass:e,shaderModuleProps:t,uniforms:i,parameters:n,context:s};for(let u of this.props.extensions)u.draw.call(this,f,u);this.draw(f)}}finally{this.props=o}}getChangeFlags(){return this.internalState?.changeFlags}setChangeFlags(e){if(!this.internalState)return;let{changeFlags:t}=this.internalState;for(let n in e)if(e[n]){let o=!1;switch(n){case"dataChanged":let s=e[n],a=t[n];s&&Array.isArray(a)&&(t.dataChanged=Array.isArray(s)?a.concat(s):s,o=!0);default:t[n]||(t[n]=e[n],o=!0)}o&&ee(Qk,this,n,e)}let i=!!(t.dataChanged||t.updateTriggersChanged||t.propsChanged||t.extensionsChanged);t.propsOrDataChanged=i,t.somethingChanged=i||t.viewportChanged||t.stateChanged}_clearChangeFlags(){this.internalState.changeFlags={dataChanged:!1,propsChanged:!1,updateTriggersChanged:!1,viewportChanged:!1,stateChanged:!1,extensionsChanged:!1,propsOrDataChanged:!1,somethingChanged:!1}}_diffProps(e,t){let i=eE(e,t);if(i.updateTriggersChanged)for(let n in i.updateTriggersChanged)i.updateTriggersChanged[n]&&this.invalidateAttribute(n);if(i.transitionsChanged)for(let n in i.transitionsChanged)this.internalState.uniformTransitions.add(n,t[n],e[n],e.transitions?.[n]);return this.setChangeFlags(i)}validateProps(){J2(this.props)}updateAutoHighlight(e){this.props.autoHighlight&&!Number.isInteger(this.props.highlightedObjectIndex)&&this._updateAutoHighlight(e)}_updateAutoHighlight(e){let t={highlightedObjectColor:e.picked?e.color:null},{highlightColor:i}=this.props;e.picked&&typeof i=="function"&&(t.highlightColor=i(e)),this.setShaderModuleProps({picking:t}),this.setNeedsRedraw()}_getAttributeManager(){let e=this.context;return new Ds(e.device,{id:this.props.id,stats:e.stats,timeline:e.timeline})}_postUpdate(e,t){let{props:i,oldProps:n}=e,o=this.state.model;o?.isInstanced&&o.setInstanceCount(this.getNumInstances());let{autoHighlight:s,highlightedObjectIndex:a,highlightColor:c}=i;if(t||n.autoHighlight!==s||n.highlightedObjectIndex!==a||n.highlightColor!==c){let l={};Array.isArray(c)&&(l.highlightColor=c),(t||n.autoHighlight!==s||a!==n.highlightedObjectIndex)&&(l.highlightedObjectColor=Number.isFinite(a)&&a>=0?this.encodePickingColor(a):null),this.setShaderModuleProps({picking:l})}}_getUpdateParams(){return{props:this.props,oldProps:this.internalState.getOldProps(),context:this.context,changeFlags:this.internalState.changeFlags}}_getNeedsRedraw(e){if(!this.internalState)return!1;let t=!1;t=t||this.internalState.needsRedraw&&this.id;let i=this.getAttributeManager(),n=i?i.getNeedsRedraw(e):!1;if(t=t||n,t)for(let o of this.props.extensions)o.onNeedsRedraw.call(this,o);return this.internalState.needsRedraw=this.internalState.needsRedraw&&!e.clearRedrawFlags,t}_onAsyncPropUpdated(){this._diffProps(this.props,this.internalState.getOldProps()),this.setNeedsUpdate()}};$s.defaultProps=o6;$s.layerName="Layer";var ae=$s;function s6(r){let{blendConstant:e,...t}=r;return e?{pipelineParameters:t,renderPassParameters:{blendConstant:e}}:{pipelineParameters:t}}function a6(r,e,t,i){for(let n of r)n.device.type==="webgpu"?(c6(n,e),n.setParameters({...n.parameters,...i?.pipelineParameters})):n.setParameters(t)}function c6(r,e){let t=e.props.framebuffer||(e.framebuffer??null);if(!t)return;let i=t.colorAttachments.map(s=>s?.texture?.format??null),n=t.depthStencilAttachment?.texture?.format,o=r;(!l6(o.props.colorAttachmentFormats,i)||o.props.depthStencilAttachmentFormat!==n)&&(o.props.colorAttachmentFormats=i,o.props.depthStencilAttachmentFormat=n,o._setPipelineNeedsUpdate("attachment formats"))}function l6(r,e){if(r===e)return!0;if(!r||!e||r.length!==e.length)return!1;for(let t=0;t<r.length;t++)if(r[t]!==e[t])return!1;return!0}var f6="compositeLayer.renderLayers",bf=class extends ae{get isComposite(){return!0}get isDrawable(){return!1}get isLoaded(){return super.isLoaded&&this.getSubLayers().every(e=>e.isLoaded)}getSubLayers(){return this.internalState&&this.internalState.subLayers||[]}initializeState(e){}setState(e){super.setState(e),this.setNeedsUpdate()}getPickingInfo({info:e}){let{object:t}=e;return t&&t.__source&&t.__source.parent&&t.__source.parent.id===this.id&&(e.object=t.__source.object,e.index=t.__source.index),e}filterSubLayer(e){return!0}shouldRenderSubLayer(e,t){return t&&t.length}getSubLayerClass(e,t){let{_subLayerProps:i}=this.props;return i&&i[e]&&i[e].type||t}getSubLayerRow(e,t,i){return e.__source={parent:this,object:t,index:i},e}getSubLayerAccessor(e){if(typeof e=="function"){let t={index:-1,data:this.props.data,target:[]};return(i,n)=>i&&i.__source?(t.index=i.__source.index,e(i.__source.object,t)):e(i,n)}return e}getSubLayerProps(e={}){let{opacity:t,pickable:i,visible:n,parameters:o,getPolygonOffset:s,highlightedObjectIndex:a,autoHighlight:c,highlightColor:l,coordinateSystem:f,coordinateOrigin:u,wrapLongitude:d,positionFormat:h,modelMatrix:p,extensions:g,fetch:m,operation:y,_subLayerProps:v}=this.props,_={id:"",updateTriggers:{},opacity:t,pickable:i,visible:n,parameters:o,getPolygonOffset:s,highlightedObjectIndex:a,autoHighlight:c,highlightColor:l,coordinateSystem:f,coordinateOrigin:u,wrapLongitude:d,positionFormat:h,modelMatrix:p,extensions:g,fetch:m,operation:y},b=v&&e.id&&v[e.id],w=b&&b.updateTriggers,P=e.id||"sublayer";if(b){let L=this.props[tt],T=e.type?e.type._propTypes:{};for(let C in b){let S=T[C]||L[C];S&&S.type==="accessor"&&(b[C]=this.getSubLayerAccessor(b[C]))}}Object.assign(_,e,b),_.id=`${this.props.id}-${P}`,_.updateTriggers={all:this.props.updateTriggers?.all,...e.updateTriggers,...w};for(let L of g){let T=L.getSubLayerProps.call(this,L);T&&Object.assign(_,T,{updateTriggers:Object.assign(_.updateTriggers,T.updateTriggers)})}return _}_updateAutoHighlight(e){for(let t of this.getSubLayers())t.updateAutoHighlight(e)}_getAttributeManager(){return null}_postUpdate(e,t){let i=this.internalState.subLayers,n=!i||this.needsUpdate();if(n){let o=this.renderLayers();i=dn(o,Boolean),this.internalState.subLayers=i}ee(f6,this,n,i);for(let o of i)o.parent=this}};bf.layerName="CompositeLayer";var Ws=bf;D();var Lr=class{constructor(e){this.indexStarts=[0],this.vertexStarts=[0],this.vertexCount=0,this.instanceCount=0;let{attributes:t={}}=e;this.typedArrayManager=ft,this.attributes={},this._attributeDefs=t,this.opts=e,this.updateGeometry(e)}updateGeometry(e){Object.assign(this.opts,e);let{data:t,buffers:i={},getGeometry:n,geometryBuffer:o,positionFormat:s,dataChanged:a,normalize:c=!0}=this.opts;if(this.data=t,this.getGeometry=n,this.positionSize=o&&o.size||(s==="XY"?2:3),this.buffers=i,this.normalize=c,o&&($(t.startIndices),this.getGeometry=this.getGeometryFromBuffer(o),c||(i.vertexPositions=o)),this.geometryBuffer=i.vertexPositions,Array.isArray(a))for(let l of a)this._rebuildGeometry(l);else this._rebuildGeometry()}updatePartialGeometry({startRow:e,endRow:t}){this._rebuildGeometry({startRow:e,endRow:t})}getGeometryFromBuffer(e){let t=e.value||e;return ArrayBuffer.isView(t)?Hl(t,{size:this.positionSize,offset:e.offset,stride:e.stride,startIndices:this.data.startIndices}):null}_allocate(e,t){let{attributes:i,buffers:n,_attributeDefs:o,typedArrayManager:s}=this;for(let a in o)if(a in n)s.release(i[a]),i[a]=null;else{let c=o[a];c.copy=t,i[a]=s.allocate(i[a],e,c)}}_forEachGeometry(e,t,i){let{data:n,getGeometry:o}=this,{iterable:s,objectInfo:a}=He(n,t,i);for(let c of s){a.index++;let l=o?o(c,a):null;e(l,a.index)}}_rebuildGeometry(e){if(!this.data)return;let{indexStarts:t,vertexStarts:i,instanceCount:n}=this,{data:o,geometryBuffer:s}=this,{startRow:a=0,endRow:c=1/0}=e||{},l={};if(e||(t=[0],i=[0]),this.normalize||!s)this._forEachGeometry((u,d)=>{let h=u&&this.normalizeGeometry(u);l[d]=h,i[d+1]=i[d]+(h?this.getGeometrySize(h):0)},a,c),n=i[i.length-1];else if(i=o.startIndices,n=i[o.length]||0,ArrayBuffer.isView(s))n=n||s.length/this.positionSize;else if(s instanceof F){let u=this.positionSize*4;n=n||s.byteLength/u}else if(s.buffer){let u=s.stride||this.positionSize*4;n=n||s.buffer.byteLength/u}else if(s.value){let u=s.value,d=s.stride/u.BYTES_PER_ELEMENT||this.positionSize;n=n||u.length/d}this._allocate(n,!!e),this.indexStarts=t,this.vertexStarts=i,this.instanceCount=n;let f={};this._forEachGeometry((u,d)=>{let h=l[d]||u;f.vertexStart=i[d],f.indexStart=t[d];let p=d<i.length-1?i[d+1]:n;f.geometrySize=p-i[d],f.geometryIndex=d,this.updateGeometryAttributes(h,f)},a,c),this.vertexCount=t[t.length-1]}};q();var u6=`struct ArcUniforms {
  greatCircle: f32,
  useShortestPath: f32,
  numSegments: f32,
  widthScale: f32,
  widthMinPixels: f32,
  widthMaxPixels: f32,
  widthUnits: i32,
};

@group(0) @binding(auto) var<uniform> arc: ArcUniforms;
`,fE=`layout(std140) uniform arcUniforms {
  bool greatCircle;
  bool useShortestPath;
  float numSegments;
  float widthScale;
  float widthMinPixels;
  float widthMaxPixels;
  highp int widthUnits;
} arc;
`,uE={name:"arc",source:u6,vs:fE,fs:fE,uniformTypes:{greatCircle:"f32",useShortestPath:"f32",numSegments:"f32",widthScale:"f32",widthMinPixels:"f32",widthMaxPixels:"f32",widthUnits:"i32"}};var dE=`const ZERO_OFFSET: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);

struct Attributes {
  @location(0) instanceSourcePositions: vec3<f32>,
  @location(1) instanceSourcePositions64Low: vec3<f32>,
  @location(2) instanceTargetPositions: vec3<f32>,
  @location(3) instanceTargetPositions64Low: vec3<f32>,
  @location(4) instanceSourceColors: vec4<f32>,
  @location(5) instanceTargetColors: vec4<f32>,
  @location(6) instanceWidths: f32,
  @location(7) instanceHeights: f32,
  @location(8) instanceTilts: f32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) color: vec4<f32>,
  @location(1) uv: vec2<f32>,
  @location(2) pickingColor: vec3<f32>,
  @location(3) isValid: f32,
};

fn paraboloid(
  distance: f32,
  sourceZ: f32,
  targetZ: f32,
  ratio: f32,
  height: f32
) -> f32 {
  let deltaZ = targetZ - sourceZ;
  let dh = distance * height;
  if (dh == 0.0) {
    return sourceZ + deltaZ * ratio;
  }
  let unitZ = deltaZ / dh;
  let p2 = unitZ * unitZ + 1.0;
  let dir = select(0.0, 1.0, deltaZ <= 0.0);
  let z0 = mix(sourceZ, targetZ, dir);
  let r = mix(ratio, 1.0 - ratio, dir);
  return sqrt(max(r * (p2 - r), 0.0)) * dh + z0;
}

fn getExtrusionOffset(lineClipspace: vec2<f32>, side: f32, width: f32) -> vec2<f32> {
  var direction = normalize(lineClipspace * project.viewportSize);
  direction = vec2<f32>(-direction.y, direction.x);
  return direction * side * width / 2.0;
}

fn getSegmentRatio(index: f32) -> f32 {
  return smoothstep(0.0, 1.0, index / max(arc.numSegments - 1.0, 1.0));
}

fn interpolateFlat(
  source: vec3<f32>,
  targetPosition: vec3<f32>,
  ratio: f32,
  height: f32,
  tiltDegrees: f32
) -> vec3<f32> {
  let distance = length(source.xy - targetPosition.xy);
  let z = paraboloid(distance, source.z, targetPosition.z, ratio, height);
  let tiltAngle = radians(tiltDegrees);
  let tiltDirection = normalize(targetPosition.xy - source.xy);
  let tilt = vec2<f32>(-tiltDirection.y, tiltDirection.x) * z * sin(tiltAngle);
  return vec3<f32>(mix(source.xy, targetPosition.xy, ratio) + tilt, z * cos(tiltAngle));
}

// Great circle interpolation
// http://www.movable-type.co.uk/scripts/latlong.html
fn getAngularDistance(source: vec2<f32>, targetPosition: vec2<f32>) -> f32 {
  let sourceRadians = radians(source);
  let targetRadians = radians(targetPosition);
  let sinHalfDelta = sin((sourceRadians - targetRadians) / 2.0);
  let sinHalfDeltaSquared = sinHalfDelta * sinHalfDelta;
  let a = sinHalfDeltaSquared.y +
    cos(sourceRadians.y) * cos(targetRadians.y) * sinHalfDeltaSquared.x;
  return 2.0 * asin(sqrt(a));
}

fn interpolateGreatCircle(
  source: vec3<f32>,
  targetPosition: vec3<f32>,
  source3D: vec3<f32>,
  target3D: vec3<f32>,
  angularDistance: f32,
  ratio: f32,
  height: f32
) -> vec3<f32> {
  var longitudeLatitude: vec2<f32>;

  // If the angular distance is PI, use linear interpolation. Otherwise use spherical interpolation.
  if (abs(angularDistance - PI) < 0.001) {
    longitudeLatitude = (1.0 - ratio) * source.xy + ratio * targetPosition.xy;
  } else {
    let a = sin((1.0 - ratio) * angularDistance);
    let b = sin(ratio * angularDistance);
    let p = source3D.yxz * a + target3D.yxz * b;
    longitudeLatitude = degrees(vec2<f32>(
      atan2(p.y, -p.x),
      atan2(p.z, length(p.xy))
    ));
  }

  let z = paraboloid(
    angularDistance * EARTH_RADIUS,
    source.z,
    targetPosition.z,
    ratio,
    height
  );
  return vec3<f32>(longitudeLatitude, z);
}

@vertex
fn vertexMain(
  attributes: Attributes,
  @builtin(vertex_index) vertexIndex: u32,
  @builtin(instance_index) instanceIndex: u32
) -> Varyings {
  geometry.worldPosition = attributes.instanceSourcePositions;
  geometry.worldPositionAlt = attributes.instanceTargetPositions;

  let segmentIndex = f32(vertexIndex / 2u);
  let segmentSide = select(-1.0, 1.0, vertexIndex % 2u == 1u);
  var segmentRatio = getSegmentRatio(segmentIndex);
  let previousRatio = getSegmentRatio(max(0.0, segmentIndex - 1.0));
  var nextRatio = getSegmentRatio(min(arc.numSegments - 1.0, segmentIndex + 1.0));
  // If this is the first point, use next - current as direction.
  var indexDirection = select(-1.0, 1.0, segmentIndex <= 0.0);
  var isValid = 1.0;

  var currentClip: vec4<f32>;
  var nextClip: vec4<f32>;

  if (
    (arc.greatCircle != 0.0 || project.projectionMode == PROJECTION_MODE_GLOBE) &&
    project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT
  ) {
    let source = project_globe_(vec3<f32>(attributes.instanceSourcePositions.xy, 0.0));
    let targetPosition = project_globe_(vec3<f32>(attributes.instanceTargetPositions.xy, 0.0));
    let angularDistance = getAngularDistance(
      attributes.instanceSourcePositions.xy,
      attributes.instanceTargetPositions.xy
    );

    let previousPosition = interpolateGreatCircle(
      attributes.instanceSourcePositions,
      attributes.instanceTargetPositions,
      source,
      targetPosition,
      angularDistance,
      previousRatio,
      attributes.instanceHeights
    );
    var currentPosition = interpolateGreatCircle(
      attributes.instanceSourcePositions,
      attributes.instanceTargetPositions,
      source,
      targetPosition,
      angularDistance,
      segmentRatio,
      attributes.instanceHeights
    );
    var nextPosition = interpolateGreatCircle(
      attributes.instanceSourcePositions,
      attributes.instanceTargetPositions,
      source,
      targetPosition,
      angularDistance,
      nextRatio,
      attributes.instanceHeights
    );

    if (abs(currentPosition.x - previousPosition.x) > 180.0) {
      indexDirection = -1.0;
      isValid = 0.0;
    } else if (abs(currentPosition.x - nextPosition.x) > 180.0) {
      indexDirection = 1.0;
      isValid = 0.0;
    }
    nextPosition = select(nextPosition, previousPosition, indexDirection < 0.0);
    nextRatio = select(nextRatio, previousRatio, indexDirection < 0.0);

    if (isValid == 0.0) {
      // Split at the antimeridian.
      nextPosition.x += select(360.0, -360.0, nextPosition.x > 0.0);
      let ratio = (
        select(-180.0, 180.0, currentPosition.x > 0.0) - currentPosition.x
      ) / (nextPosition.x - currentPosition.x);
      currentPosition = mix(currentPosition, nextPosition, ratio);
      segmentRatio = mix(segmentRatio, nextRatio, ratio);
    }

    let currentPosition64Low = mix(
      attributes.instanceSourcePositions64Low,
      attributes.instanceTargetPositions64Low,
      segmentRatio
    );
    let nextPosition64Low = mix(
      attributes.instanceSourcePositions64Low,
      attributes.instanceTargetPositions64Low,
      nextRatio
    );
    let currentProjection = project_position_to_clipspace_and_commonspace(
      currentPosition,
      currentPosition64Low,
      ZERO_OFFSET
    );
    currentClip = currentProjection.clipPosition;
    nextClip = project_position_to_clipspace(nextPosition, nextPosition64Low, ZERO_OFFSET);
    geometry.position = currentProjection.commonPosition;
  } else {
    var sourceWorld = attributes.instanceSourcePositions;
    var targetWorld = attributes.instanceTargetPositions;
    if (arc.useShortestPath != 0.0) {
      sourceWorld.x = ((sourceWorld.x + 180.0) % 360.0) - 180.0;
      targetWorld.x = ((targetWorld.x + 180.0) % 360.0) - 180.0;
      let deltaLongitude = targetWorld.x - sourceWorld.x;
      if (deltaLongitude > 180.0) {
        targetWorld.x -= 360.0;
      }
      if (deltaLongitude < -180.0) {
        sourceWorld.x -= 360.0;
      }
    }

    let source = project_position_vec3_f64(
      sourceWorld,
      attributes.instanceSourcePositions64Low
    );
    let targetPosition = project_position_vec3_f64(
      targetWorld,
      attributes.instanceTargetPositions64Low
    );

    // Common x at longitude=-180.
    var antimeridianX = 0.0;
    if (arc.useShortestPath != 0.0) {
      if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
        antimeridianX = -(project.coordinateOrigin.x + 180.0) / 360.0 * TILE_SIZE;
      }
      let thresholdRatio = (antimeridianX - source.x) / (targetPosition.x - source.x);
      if (previousRatio <= thresholdRatio && nextRatio > thresholdRatio) {
        isValid = 0.0;
        indexDirection = sign(segmentRatio - thresholdRatio);
        segmentRatio = thresholdRatio;
      }
    }

    nextRatio = select(nextRatio, previousRatio, indexDirection < 0.0);
    var currentPosition = interpolateFlat(
      source,
      targetPosition,
      segmentRatio,
      attributes.instanceHeights,
      attributes.instanceTilts
    );
    var nextPosition = interpolateFlat(
      source,
      targetPosition,
      nextRatio,
      attributes.instanceHeights,
      attributes.instanceTilts
    );

    if (arc.useShortestPath != 0.0 && nextPosition.x < antimeridianX) {
      currentPosition.x += TILE_SIZE;
      nextPosition.x += TILE_SIZE;
    }

    currentClip = project_common_position_to_clipspace(vec4<f32>(currentPosition, 1.0));
    nextClip = project_common_position_to_clipspace(vec4<f32>(nextPosition, 1.0));
    geometry.position = vec4<f32>(currentPosition, 1.0);
  }

  geometry.uv = vec2<f32>(segmentRatio, segmentSide);
  geometry.pickingColor = picking_getPickingColorFromIndex(instanceIndex);

  let widthPixels = clamp(
    project_unit_size_to_pixel(attributes.instanceWidths * arc.widthScale, arc.widthUnits),
    arc.widthMinPixels,
    arc.widthMaxPixels
  );
#ifdef ANTIALIASING
  var offset = getExtrusionOffset(
#else
  let offset = getExtrusionOffset(
#endif
    (nextClip.xy - currentClip.xy) * indexDirection,
    segmentSide,
    widthPixels
  );
#ifdef ANTIALIASING
  let halfWidthPixels = length(offset);
  if (halfWidthPixels > 0.0) {
    // Keep the declared edge at abs(uv.y) == 1 while rasterizing the outer half of the centered
    // one-device-pixel coverage ramp.
    let coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
    offset *= coverageScale;
    geometry.uv.y *= coverageScale;
  }
#endif

  var output: Varyings;
  output.position = currentClip + vec4<f32>(project_pixel_size_to_clipspace(offset), 0.0, 0.0);
  let color = mix(attributes.instanceSourceColors, attributes.instanceTargetColors, segmentRatio);
  output.color = vec4<f32>(color.rgb, color.a * layer.opacity);
  output.uv = geometry.uv;
  output.pickingColor = geometry.pickingColor;
  output.isValid = isValid;
  return output;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
#ifdef ANTIALIASING
  let edgeCoord = abs(varyings.uv.y);
  let edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);
#endif

  if (varyings.isValid == 0.0) {
    discard;
  }

#ifdef ANTIALIASING
  // Fragments outside the coverage ramp must not write depth or picking colors.
  if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
    discard;
  }
#endif
  var color = varyings.color;
#ifdef ANTIALIASING
  // Feather one device pixel across the width. Arc segments meet lengthwise, so only soften the
  // two outer edges of the strip.
  color.a *= smoothedge(0.0, edgePixels);
#endif
  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(varyings.pickingColor)) {
      discard;
    }
    return vec4<f32>(varyings.pickingColor, 1.0);
  }
  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(varyings.pickingColor - highlightedObjectColor))) {
      let highlightAlpha = picking.highlightColor.a;
      let blendedAlpha = highlightAlpha + color.a * (1.0 - highlightAlpha);
      if (blendedAlpha > 0.0) {
        let highlightRatio = highlightAlpha / blendedAlpha;
        color = vec4<f32>(
          mix(color.rgb, picking.highlightColor.rgb, highlightRatio),
          blendedAlpha
        );
      }
    }
  }
  return deckgl_premultiplied_alpha(color);
}
`;var hE=`#version 300 es
#define SHADER_NAME arc-layer-vertex-shader
in vec4 instanceSourceColors;
in vec4 instanceTargetColors;
in vec3 instanceSourcePositions;
in vec3 instanceSourcePositions64Low;
in vec3 instanceTargetPositions;
in vec3 instanceTargetPositions64Low;
in float instanceWidths;
in float instanceHeights;
in float instanceTilts;
out vec4 vColor;
out vec2 uv;
out float isValid;
float paraboloid(float distance, float sourceZ, float targetZ, float ratio) {
float deltaZ = targetZ - sourceZ;
float dh = distance * instanceHeights;
if (dh == 0.0) {
return sourceZ + deltaZ * ratio;
}
float unitZ = deltaZ / dh;
float p2 = unitZ * unitZ + 1.0;
float dir = step(deltaZ, 0.0);
float z0 = mix(sourceZ, targetZ, dir);
float r = mix(ratio, 1.0 - ratio, dir);
return sqrt(r * (p2 - r)) * dh + z0;
}
vec2 getExtrusionOffset(vec2 line_clipspace, float offset_direction, float width) {
vec2 dir_screenspace = normalize(line_clipspace * project.viewportSize);
dir_screenspace = vec2(-dir_screenspace.y, dir_screenspace.x);
return dir_screenspace * offset_direction * width / 2.0;
}
float getSegmentRatio(float index) {
return smoothstep(0.0, 1.0, index / (arc.numSegments - 1.0));
}
vec3 interpolateFlat(vec3 source, vec3 target, float segmentRatio) {
float distance = length(source.xy - target.xy);
float z = paraboloid(distance, source.z, target.z, segmentRatio);
float tiltAngle = radians(instanceTilts);
vec2 tiltDirection = normalize(target.xy - source.xy);
vec2 tilt = vec2(-tiltDirection.y, tiltDirection.x) * z * sin(tiltAngle);
return vec3(
mix(source.xy, target.xy, segmentRatio) + tilt,
z * cos(tiltAngle)
);
}
float getAngularDist (vec2 source, vec2 target) {
vec2 sourceRadians = radians(source);
vec2 targetRadians = radians(target);
vec2 sin_half_delta = sin((sourceRadians - targetRadians) / 2.0);
vec2 shd_sq = sin_half_delta * sin_half_delta;
float a = shd_sq.y + cos(sourceRadians.y) * cos(targetRadians.y) * shd_sq.x;
return 2.0 * asin(sqrt(a));
}
vec3 interpolateGreatCircle(vec3 source, vec3 target, vec3 source3D, vec3 target3D, float angularDist, float t) {
vec2 lngLat;
if(abs(angularDist - PI) < 0.001) {
lngLat = (1.0 - t) * source.xy + t * target.xy;
} else {
float a = sin((1.0 - t) * angularDist);
float b = sin(t * angularDist);
vec3 p = source3D.yxz * a + target3D.yxz * b;
lngLat = degrees(vec2(atan(p.y, -p.x), atan(p.z, length(p.xy))));
}
float z = paraboloid(angularDist * EARTH_RADIUS, source.z, target.z, t);
return vec3(lngLat, z);
}
void main(void) {
geometry.worldPosition = instanceSourcePositions;
geometry.worldPositionAlt = instanceTargetPositions;
float segmentIndex = float(gl_VertexID / 2);
float segmentSide = mod(float(gl_VertexID), 2.) == 0. ? -1. : 1.;
float segmentRatio = getSegmentRatio(segmentIndex);
float prevSegmentRatio = getSegmentRatio(max(0.0, segmentIndex - 1.0));
float nextSegmentRatio = getSegmentRatio(min(arc.numSegments - 1.0, segmentIndex + 1.0));
float indexDir = mix(-1.0, 1.0, step(segmentIndex, 0.0));
isValid = 1.0;
uv = vec2(segmentRatio, segmentSide);
geometry.uv = uv;
geometry.pickingColor = picking_getPickingColorFromInstanceID();
vec4 curr;
vec4 next;
vec3 source;
vec3 target;
if ((arc.greatCircle || project.projectionMode == PROJECTION_MODE_GLOBE) && project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
source = project_globe_(vec3(instanceSourcePositions.xy, 0.0));
target = project_globe_(vec3(instanceTargetPositions.xy, 0.0));
float angularDist = getAngularDist(instanceSourcePositions.xy, instanceTargetPositions.xy);
vec3 prevPos = interpolateGreatCircle(instanceSourcePositions, instanceTargetPositions, source, target, angularDist, prevSegmentRatio);
vec3 currPos = interpolateGreatCircle(instanceSourcePositions, instanceTargetPositions, source, target, angularDist, segmentRatio);
vec3 nextPos = interpolateGreatCircle(instanceSourcePositions, instanceTargetPositions, source, target, angularDist, nextSegmentRatio);
if (abs(currPos.x - prevPos.x) > 180.0) {
indexDir = -1.0;
isValid = 0.0;
} else if (abs(currPos.x - nextPos.x) > 180.0) {
indexDir = 1.0;
isValid = 0.0;
}
nextPos = indexDir < 0.0 ? prevPos : nextPos;
nextSegmentRatio = indexDir < 0.0 ? prevSegmentRatio : nextSegmentRatio;
if (isValid == 0.0) {
nextPos.x += nextPos.x > 0.0 ? -360.0 : 360.0;
float t = ((currPos.x > 0.0 ? 180.0 : -180.0) - currPos.x) / (nextPos.x - currPos.x);
currPos = mix(currPos, nextPos, t);
segmentRatio = mix(segmentRatio, nextSegmentRatio, t);
}
vec3 currPos64Low = mix(instanceSourcePositions64Low, instanceTargetPositions64Low, segmentRatio);
vec3 nextPos64Low = mix(instanceSourcePositions64Low, instanceTargetPositions64Low, nextSegmentRatio);
curr = project_position_to_clipspace(currPos, currPos64Low, vec3(0.0), geometry.position);
next = project_position_to_clipspace(nextPos, nextPos64Low, vec3(0.0));
} else {
vec3 source_world = instanceSourcePositions;
vec3 target_world = instanceTargetPositions;
if (arc.useShortestPath) {
source_world.x = mod(source_world.x + 180., 360.0) - 180.;
target_world.x = mod(target_world.x + 180., 360.0) - 180.;
float deltaLng = target_world.x - source_world.x;
if (deltaLng > 180.) target_world.x -= 360.;
if (deltaLng < -180.) source_world.x -= 360.;
}
source = project_position(source_world, instanceSourcePositions64Low);
target = project_position(target_world, instanceTargetPositions64Low);
float antiMeridianX = 0.0;
if (arc.useShortestPath) {
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
antiMeridianX = -(project.coordinateOrigin.x + 180.) / 360. * TILE_SIZE;
}
float thresholdRatio = (antiMeridianX - source.x) / (target.x - source.x);
if (prevSegmentRatio <= thresholdRatio && nextSegmentRatio > thresholdRatio) {
isValid = 0.0;
indexDir = sign(segmentRatio - thresholdRatio);
segmentRatio = thresholdRatio;
}
}
nextSegmentRatio = indexDir < 0.0 ? prevSegmentRatio : nextSegmentRatio;
vec3 currPos = interpolateFlat(source, target, segmentRatio);
vec3 nextPos = interpolateFlat(source, target, nextSegmentRatio);
if (arc.useShortestPath) {
if (nextPos.x < antiMeridianX) {
currPos.x += TILE_SIZE;
nextPos.x += TILE_SIZE;
}
}
curr = project_common_position_to_clipspace(vec4(currPos, 1.0));
next = project_common_position_to_clipspace(vec4(nextPos, 1.0));
geometry.position = vec4(currPos, 1.0);
}
float widthPixels = clamp(
project_size_to_pixel(instanceWidths * arc.widthScale, arc.widthUnits),
arc.widthMinPixels, arc.widthMaxPixels
);
vec3 offset = vec3(
getExtrusionOffset((next.xy - curr.xy) * indexDir, segmentSide, widthPixels),
0.0);
DECKGL_FILTER_SIZE(offset, geometry);
#ifdef ANTIALIASING
float halfWidthPixels = length(offset.xy);
if (halfWidthPixels > 0.0) {
float coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
offset.xy *= coverageScale;
uv.y *= coverageScale;
}
geometry.uv = uv;
#endif
DECKGL_FILTER_GL_POSITION(curr, geometry);
gl_Position = curr + vec4(project_pixel_size_to_clipspace(offset.xy), 0.0, 0.0);
vec4 color = mix(instanceSourceColors, instanceTargetColors, segmentRatio);
vColor = vec4(color.rgb, color.a * layer.opacity);
DECKGL_FILTER_COLOR(vColor, geometry);
}
`;var pE=`#version 300 es
#define SHADER_NAME arc-layer-fragment-shader
precision highp float;
in vec4 vColor;
in vec2 uv;
in float isValid;
out vec4 fragColor;
void main(void) {
#ifdef ANTIALIASING
float edgeCoord = abs(uv.y);
float edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);
#endif
if (isValid == 0.0) {
discard;
}
#ifdef ANTIALIASING
if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
discard;
}
#endif
fragColor = vColor;
geometry.uv = uv;
#ifdef ANTIALIASING
fragColor.a *= smoothedge(0.0, edgePixels);
#endif
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var vf=[0,0,0,255],d6={getSourcePosition:{type:"accessor",value:r=>r.sourcePosition},getTargetPosition:{type:"accessor",value:r=>r.targetPosition},getSourceColor:{type:"accessor",value:vf},getTargetColor:{type:"accessor",value:vf},getWidth:{type:"accessor",value:1},getHeight:{type:"accessor",value:1},getTilt:{type:"accessor",value:0},greatCircle:!1,numSegments:{type:"number",value:50,min:1},widthUnits:"pixels",widthScale:{type:"number",value:1,min:0},widthMinPixels:{type:"number",value:0,min:0},widthMaxPixels:{type:"number",value:Number.MAX_SAFE_INTEGER,min:0},antialiasing:!1},js=class extends ae{getBounds(){return this.getAttributeManager()?.getBounds(["instanceSourcePositions","instanceTargetPositions"])}getShaders(){let{antialiasing:e}=this.props;return super.getShaders({vs:hE,fs:pE,source:dE,defines:e?{ANTIALIASING:1}:{},modules:[de,fe,he,uE]})}get wrapLongitude(){return!1}initializeState(){this.getAttributeManager().addInstanced({instanceSourcePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getSourcePosition"},instanceTargetPositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getTargetPosition"},instanceSourceColors:{size:this.props.colorFormat.length,type:"unorm8",transition:!0,accessor:"getSourceColor",defaultValue:vf},instanceTargetColors:{size:this.props.colorFormat.length,type:"unorm8",transition:!0,accessor:"getTargetColor",defaultValue:vf},instanceWidths:{size:1,transition:!0,accessor:"getWidth",defaultValue:1},instanceHeights:{size:1,transition:!0,accessor:"getHeight",defaultValue:1},instanceTilts:{size:1,transition:!0,accessor:"getTilt",defaultValue:0}})}updateState(e){super.updateState(e);let{props:t,oldProps:i,changeFlags:n}=e;(n.extensionsChanged||t.antialiasing!==i.antialiasing)&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{widthUnits:t,widthScale:i,widthMinPixels:n,widthMaxPixels:o,greatCircle:s,wrapLongitude:a,numSegments:c}=this.props,l={numSegments:c,widthUnits:ne[t],widthScale:i,widthMinPixels:n,widthMaxPixels:o,greatCircle:s,useShortestPath:a},f=this.state.model;f.shaderInputs.setProps({arc:l}),f.setVertexCount(c*2),f.draw(this.context.renderPass)}_getModel(){return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),topology:"triangle-strip",isInstanced:!0})}};js.layerName="ArcLayer";js.defaultProps=d6;var gE=js;q();_e();var h6=new Uint32Array([0,2,1,0,3,2]),p6=new Float32Array([0,1,0,0,1,0,1,1]);function Bg(r,e){if(!e)return g6(r);let t=Math.max(Math.abs(r[0][0]-r[3][0]),Math.abs(r[1][0]-r[2][0])),i=Math.max(Math.abs(r[1][1]-r[0][1]),Math.abs(r[2][1]-r[3][1])),n=Math.ceil(t/e)+1,o=Math.ceil(i/e)+1,s=(n-1)*(o-1)*6,a=new Uint32Array(s),c=new Float32Array(n*o*2),l=new Float64Array(n*o*3),f=0,u=0;for(let d=0;d<n;d++){let h=d/(n-1);for(let p=0;p<o;p++){let g=p/(o-1),m=m6(r,h,g);l[f*3+0]=m[0],l[f*3+1]=m[1],l[f*3+2]=m[2]||0,c[f*2+0]=h,c[f*2+1]=1-g,d>0&&p>0&&(a[u++]=f-o,a[u++]=f-o-1,a[u++]=f-1,a[u++]=f-o,a[u++]=f-1,a[u++]=f),f++}}return{vertexCount:s,positions:l,indices:a,texCoords:c}}function g6(r){let e=new Float64Array(12);for(let t=0;t<r.length;t++)e[t*3+0]=r[t][0],e[t*3+1]=r[t][1],e[t*3+2]=r[t][2]||0;return{vertexCount:6,positions:e,indices:h6,texCoords:p6}}function m6(r,e,t){return nt(nt(r[0],r[1],t),nt(r[3],r[2],t),e)}var _6=`
struct BitmapUniforms {
  bounds: vec4<f32>,
  coordinateConversion: f32,
  desaturate: f32,
  tintColor: vec3<f32>,
  transparentColor: vec4<f32>,
};

@group(0) @binding(auto) var<uniform> bitmap: BitmapUniforms;
@group(0) @binding(auto) var bitmapTexture: texture_2d<f32>;
@group(0) @binding(auto) var bitmapTextureSampler: sampler;
`,mE=`layout(std140) uniform bitmapUniforms {
  vec4 bounds;
  float coordinateConversion;
  float desaturate;
  vec3 tintColor;
  vec4 transparentColor;
} bitmap;
`,_E={name:"bitmap",source:_6,vs:mE,fs:mE,uniformTypes:{bounds:"vec4<f32>",coordinateConversion:"f32",desaturate:"f32",tintColor:"vec3<f32>",transparentColor:"vec4<f32>"}};var yE=`struct Attributes {
  @location(0) positions: vec3<f32>,
  @location(1) positions64Low: vec3<f32>,
  @location(2) texCoords: vec2<f32>,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vTexCoord: vec2<f32>,
  @location(1) vTexPos: vec2<f32>,
  @location(2) pickingColor: vec3<f32>,
  @location(3) pickingDepth: f32,
};

// from degrees to Web Mercator
fn lnglat_to_mercator(lnglat: vec2<f32>) -> vec2<f32> {
  let x = lnglat.x;
  let y = clamp(lnglat.y, -89.9, 89.9);
  return vec2<f32>(
    radians(x) + PI,
    PI + log(tan(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// from Web Mercator to degrees
fn mercator_to_lnglat(xy: vec2<f32>) -> vec2<f32> {
  let position = xy / WORLD_SCALE;
  return degrees(vec2<f32>(
    position.x - PI,
    atan(exp(position.y - PI)) * 2.0 - PI * 0.5
  ));
}

fn color_desaturate(colorValue: vec3<f32>) -> vec3<f32> {
  let luminance = (colorValue.r + colorValue.g + colorValue.b) * 0.333333333;
  return mix(colorValue, vec3<f32>(luminance), bitmap.desaturate);
}

fn color_tint(colorValue: vec3<f32>) -> vec3<f32> {
  return colorValue * bitmap.tintColor;
}

fn apply_opacity(colorValue: vec3<f32>, alpha: f32) -> vec4<f32> {
  if (bitmap.transparentColor.a == 0.0) {
    return vec4<f32>(colorValue, alpha);
  }
  let blendedAlpha = alpha + bitmap.transparentColor.a * (1.0 - alpha);
  let highLightRatio = alpha / blendedAlpha;
  let blendedRGB = mix(bitmap.transparentColor.rgb, colorValue, highLightRatio);
  return vec4<f32>(blendedRGB, blendedAlpha);
}

fn getUV(position: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(
    (position.x - bitmap.bounds[0]) / (bitmap.bounds[2] - bitmap.bounds[0]),
    (position.y - bitmap.bounds[3]) / (bitmap.bounds[1] - bitmap.bounds[3])
  );
}

// Pack the top 12 bits of two normalized floats into three 8-bit values.
fn packUVsIntoRGB(uv: vec2<f32>) -> vec3<f32> {
  let uv8bit = floor(uv * 256.0);
  let uvFraction = fract(uv * 256.0);
  let uvFraction4bit = floor(uvFraction * 16.0);
  let fractions = uvFraction4bit.x + uvFraction4bit.y * 16.0;
  return vec3<f32>(uv8bit, fractions) / 255.0;
}

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var output: Varyings;
  geometry.worldPosition = attributes.positions;
  geometry.uv = attributes.texCoords;
  geometry.pickingColor = picking_getPickingColorFromIndex(0u);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    attributes.positions,
    attributes.positions64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  output.position = projectedPosition.clipPosition;
  output.vTexCoord = attributes.texCoords;
  output.vTexPos = vec2<f32>(0.0);
  output.pickingColor = geometry.pickingColor;
  output.pickingDepth = output.position.z / output.position.w;

  if (bitmap.coordinateConversion < -0.5) {
    output.vTexPos = geometry.position.xy + project.commonOrigin.xy;
  } else if (bitmap.coordinateConversion > 0.5) {
    output.vTexPos = geometry.worldPosition.xy;
  }

  return output;
}

@fragment
fn fragmentMain(input: Varyings) -> @location(0) vec4<f32> {
  var uv = input.vTexCoord;
  if (bitmap.coordinateConversion < -0.5) {
    uv = getUV(mercator_to_lnglat(input.vTexPos));
  } else if (bitmap.coordinateConversion > 0.5) {
    uv = getUV(lnglat_to_mercator(input.vTexPos));
  }

  let bitmapColor = textureSample(bitmapTexture, bitmapTextureSampler, uv);
  var fragColor = apply_opacity(
    color_tint(color_desaturate(bitmapColor.rgb)),
    bitmapColor.a * layer.opacity
  );

  geometry.uv = uv;

  if (picking.isActive > 0.5) {
    if (picking.isAttribute > 0.5) {
      return vec4<f32>(input.pickingDepth, 0.0, 0.0, 1.0);
    }
    return vec4<f32>(packUVsIntoRGB(uv), 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(input.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return deckgl_premultiplied_alpha(fragColor);
}
`;var xE=`#version 300 es
#define SHADER_NAME bitmap-layer-vertex-shader

in vec2 texCoords;
in vec3 positions;
in vec3 positions64Low;

out vec2 vTexCoord;
out vec2 vTexPos;

const vec3 pickingColor = vec3(1.0, 0.0, 0.0);

void main(void) {
  geometry.worldPosition = positions;
  geometry.uv = texCoords;
  geometry.pickingColor = pickingColor;

  gl_Position = project_position_to_clipspace(positions, positions64Low, vec3(0.0), geometry.position);
  DECKGL_FILTER_GL_POSITION(gl_Position, geometry);

  vTexCoord = texCoords;

  if (bitmap.coordinateConversion < -0.5) {
    vTexPos = geometry.position.xy + project.commonOrigin.xy;
  } else if (bitmap.coordinateConversion > 0.5) {
    vTexPos = geometry.worldPosition.xy;
  }

  vec4 color = vec4(0.0);
  DECKGL_FILTER_COLOR(color, geometry);
}
`;var y6=`
vec3 packUVsIntoRGB(vec2 uv) {
  // Extract the top 8 bits. We want values to be truncated down so we can add a fraction
  vec2 uv8bit = floor(uv * 256.);

  // Calculate the normalized remainders of u and v parts that do not fit into 8 bits
  // Scale and clamp to 0-1 range
  vec2 uvFraction = fract(uv * 256.);
  vec2 uvFraction4bit = floor(uvFraction * 16.);

  // Remainder can be encoded in blue channel, encode as 4 bits for pixel coordinates
  float fractions = uvFraction4bit.x + uvFraction4bit.y * 16.;

  return vec3(uv8bit, fractions) / 255.;
}
`,bE=`#version 300 es
#define SHADER_NAME bitmap-layer-fragment-shader

#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D bitmapTexture;

in vec2 vTexCoord;
in vec2 vTexPos;

out vec4 fragColor;

/* projection utils */
const float TILE_SIZE = 512.0;
const float PI = 3.1415926536;
const float WORLD_SCALE = TILE_SIZE / PI / 2.0;

// from degrees to Web Mercator
vec2 lnglat_to_mercator(vec2 lnglat) {
  float x = lnglat.x;
  float y = clamp(lnglat.y, -89.9, 89.9);
  return vec2(
    radians(x) + PI,
    PI + log(tan(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// from Web Mercator to degrees
vec2 mercator_to_lnglat(vec2 xy) {
  xy /= WORLD_SCALE;
  return degrees(vec2(
    xy.x - PI,
    atan(exp(xy.y - PI)) * 2.0 - PI * 0.5
  ));
}
/* End projection utils */

// apply desaturation
vec3 color_desaturate(vec3 color) {
  float luminance = (color.r + color.g + color.b) * 0.333333333;
  return mix(color, vec3(luminance), bitmap.desaturate);
}

// apply tint
vec3 color_tint(vec3 color) {
  return color * bitmap.tintColor;
}

// blend with background color
vec4 apply_opacity(vec3 color, float alpha) {
  if (bitmap.transparentColor.a == 0.0) {
    return vec4(color, alpha);
  }
  float blendedAlpha = alpha + bitmap.transparentColor.a * (1.0 - alpha);
  float highLightRatio = alpha / blendedAlpha;
  vec3 blendedRGB = mix(bitmap.transparentColor.rgb, color, highLightRatio);
  return vec4(blendedRGB, blendedAlpha);
}

vec2 getUV(vec2 pos) {
  return vec2(
    (pos.x - bitmap.bounds[0]) / (bitmap.bounds[2] - bitmap.bounds[0]),
    (pos.y - bitmap.bounds[3]) / (bitmap.bounds[1] - bitmap.bounds[3])
  );
}

${y6}

void main(void) {
  vec2 uv = vTexCoord;
  if (bitmap.coordinateConversion < -0.5) {
    vec2 lnglat = mercator_to_lnglat(vTexPos);
    uv = getUV(lnglat);
  } else if (bitmap.coordinateConversion > 0.5) {
    vec2 commonPos = lnglat_to_mercator(vTexPos);
    uv = getUV(commonPos);
  }
  vec4 bitmapColor = texture(bitmapTexture, uv);

  fragColor = apply_opacity(color_tint(color_desaturate(bitmapColor.rgb)), bitmapColor.a * layer.opacity);

  geometry.uv = uv;
  DECKGL_FILTER_COLOR(fragColor, geometry);

  if (bool(picking.isActive) && !bool(picking.isAttribute)) {
    // Since instance information is not used, we can use picking color for pixel index
    fragColor.rgb = packUVsIntoRGB(uv);
  }
}
`;var x6={image:{type:"image",value:null,async:!0},bounds:{type:"array",value:[1,0,0,1],compare:!0},_imageCoordinateSystem:"default",desaturate:{type:"number",min:0,max:1,value:0},transparentColor:{type:"color",value:[0,0,0,0]},tintColor:{type:"color",value:[255,255,255]},textureParameters:{type:"object",ignore:!0,value:null}},Hs=class extends ae{getShaders(){return super.getShaders({vs:xE,fs:bE,source:yE,modules:[fe,de,he,_E]})}initializeState(){let e=this.getAttributeManager(),t=!0;e.add({indices:{size:1,isIndexed:!0,update:i=>i.value=this.state.mesh.indices,noAlloc:t},positions:{size:3,type:"float64",fp64:this.use64bitPositions(),update:i=>i.value=this.state.mesh.positions,noAlloc:t},texCoords:{size:2,update:i=>i.value=this.state.mesh.texCoords,noAlloc:t}})}updateState({props:e,oldProps:t,changeFlags:i}){let n=this.getAttributeManager();if(i.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),n.invalidateAll()),e.bounds!==t.bounds){let o=this.state.mesh,s=this._createMesh();this.state.model.setVertexCount(s.vertexCount);for(let a in s)o&&o[a]!==s[a]&&n.invalidate(a);this.setState({mesh:s,...this._getCoordinateUniforms()})}else e._imageCoordinateSystem!==t._imageCoordinateSystem&&this.setState(this._getCoordinateUniforms())}getPickingInfo(e){let{image:t}=this.props,i=e.info;if(!i.color||!t)return i.bitmap=null,i;let{width:n,height:o}=t;i.index=0;let s=b6(i.color);return i.bitmap={size:{width:n,height:o},uv:s,pixel:[Math.floor(s[0]*n),Math.floor(s[1]*o)]},i}disablePickingIndex(){this.setState({disablePicking:!0})}restorePickingColors(){this.setState({disablePicking:!1})}_updateAutoHighlight(e){super._updateAutoHighlight({...e,color:this.encodePickingColor(0)})}_createMesh(){let{bounds:e}=this.props,t=e;return vE(e)&&(t=[[e[0],e[1]],[e[0],e[3]],[e[2],e[3]],[e[2],e[1]]]),Bg(t,this.context.viewport.resolution)}_getModel(){let e=this.context.device.type==="webgpu"?this.getAttributeManager().getBufferLayouts({isInstanced:!1}).filter(t=>t.name!=="indices"):this.getAttributeManager().getBufferLayouts();return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:e,topology:"triangle-list",isInstanced:!1})}draw(e){let{shaderModuleProps:t}=e,{model:i,coordinateConversion:n,bounds:o,disablePicking:s}=this.state,{image:a,desaturate:c,transparentColor:l,tintColor:f}=this.props;if(!(t.picking.isActive&&s)&&a&&i){let u={bitmapTexture:a,bounds:o,coordinateConversion:n,desaturate:c,tintColor:f.slice(0,3).map(d=>d/255),transparentColor:l.map(d=>d/255)};i.shaderInputs.setProps({bitmap:u}),i.draw(this.context.renderPass)}}_getCoordinateUniforms(){let{_imageCoordinateSystem:e}=this.props;if(e!=="default"){let{bounds:t}=this.props;if(!vE(t))throw new Error("_imageCoordinateSystem only supports rectangular bounds");let i=this.context.viewport.resolution?"lnglat":"cartesian";if(e=e==="lnglat"?"lnglat":"cartesian",e==="lnglat"&&i==="cartesian")return{coordinateConversion:-1,bounds:t};if(e==="cartesian"&&i==="lnglat"){let n=Ie([t[0],t[1]]),o=Ie([t[2],t[3]]);return{coordinateConversion:1,bounds:[n[0],n[1],o[0],o[1]]}}}return{coordinateConversion:0,bounds:[0,0,0,0]}}};Hs.layerName="BitmapLayer";Hs.defaultProps=x6;var wE=Hs;function b6(r){let[e,t,i]=r,n=(i&240)/256,o=(i&15)/16;return[(e+o)/256,(t+n)/256]}function vE(r){return Number.isFinite(r[0])}q();var PE=`layout(std140) uniform iconUniforms {
  float sizeScale;
  vec2 iconsTextureDim;
  float sizeBasis;
  float sizeMinPixels;
  float sizeMaxPixels;
  bool billboard;
  highp int sizeUnits;
  float alphaCutoff;
} icon;
`,EE={name:"icon",vs:PE,fs:PE,uniformTypes:{sizeScale:"f32",iconsTextureDim:"vec2<f32>",sizeBasis:"f32",sizeMinPixels:"f32",sizeMaxPixels:"f32",billboard:"f32",sizeUnits:"i32",alphaCutoff:"f32"}};var SE=`#version 300 es
#define SHADER_NAME icon-layer-vertex-shader
in vec2 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in float instanceSizes;
in float instanceAngles;
in vec4 instanceColors;
#ifdef USE_ROW_INDEXES
in float rowIndexes;
#endif
in vec4 instanceIconFrames;
in float instanceColorModes;
in vec2 instanceOffsets;
in vec2 instancePixelOffset;
out float vColorMode;
out vec4 vColor;
out vec2 vTextureCoords;
out vec2 uv;
vec2 rotate_by_angle(vec2 vertex, float angle) {
float angle_radian = angle * PI / 180.0;
float cos_angle = cos(angle_radian);
float sin_angle = sin(angle_radian);
mat2 rotationMatrix = mat2(cos_angle, -sin_angle, sin_angle, cos_angle);
return rotationMatrix * vertex;
}
void main(void) {
geometry.worldPosition = instancePositions;
geometry.uv = positions;
#ifdef USE_ROW_INDEXES
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
#else
geometry.pickingColor = picking_getPickingColorFromInstanceID();
#endif
uv = positions;
vec2 iconSize = instanceIconFrames.zw;
float sizePixels = clamp(
project_size_to_pixel(instanceSizes * icon.sizeScale, icon.sizeUnits),
icon.sizeMinPixels, icon.sizeMaxPixels
);
float iconConstraint = icon.sizeBasis == 0.0 ? iconSize.x : iconSize.y;
float instanceScale = iconConstraint == 0.0 ? 0.0 : sizePixels / iconConstraint;
vec2 pixelOffset = positions / 2.0 * iconSize + instanceOffsets;
pixelOffset = rotate_by_angle(pixelOffset, instanceAngles) * instanceScale;
pixelOffset += instancePixelOffset;
pixelOffset.y *= -1.0;
if (icon.billboard)  {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = vec3(pixelOffset, 0.0);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset_common = vec3(project_pixel_size(pixelOffset), 0.0);
DECKGL_FILTER_SIZE(offset_common, geometry);
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset_common, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
vTextureCoords = mix(
instanceIconFrames.xy,
instanceIconFrames.xy + iconSize,
(positions.xy + 1.0) / 2.0
) / icon.iconsTextureDim;
vColor = instanceColors;
DECKGL_FILTER_COLOR(vColor, geometry);
vColorMode = instanceColorModes;
}
`;var TE=`#version 300 es
#define SHADER_NAME icon-layer-fragment-shader
precision highp float;
uniform sampler2D iconsTexture;
in float vColorMode;
in vec4 vColor;
in vec2 vTextureCoords;
in vec2 uv;
out vec4 fragColor;
void main(void) {
geometry.uv = uv;
vec4 texColor = texture(iconsTexture, vTextureCoords);
vec3 color = mix(texColor.rgb, vColor.rgb, vColorMode);
float a = texColor.a * layer.opacity * vColor.a;
if (a < icon.alphaCutoff) {
discard;
}
fragColor = vec4(color, a);
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var v6=`struct IconUniforms {
  sizeScale: f32,
  iconsTextureDim: vec2<f32>,
  sizeBasis: f32,
  sizeMinPixels: f32,
  sizeMaxPixels: f32,
  billboard: i32,
  sizeUnits: i32,
  alphaCutoff: f32
};

@group(0) @binding(auto) var<uniform> icon: IconUniforms;
@group(0) @binding(auto) var iconsTexture : texture_2d<f32>;
@group(0) @binding(auto) var iconsTextureSampler : sampler;

fn rotate_by_angle(vertex: vec2<f32>, angle_deg: f32) -> vec2<f32> {
  let angle_radian = angle_deg * PI / 180.0;
  let c = cos(angle_radian);
  let s = sin(angle_radian);
  let rotation = mat2x2<f32>(vec2<f32>(c, s), vec2<f32>(-s, c));
  return rotation * vertex;
}

struct Attributes {
  @builtin(instance_index) instanceIndex : u32,
  @location(0) positions: vec2<f32>,

  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceSizes: f32,
  @location(4) instanceAngles: f32,
  @location(5) instanceColors: vec4<f32>,
  @location(6) instanceIconFrames: vec4<f32>,
  @location(7) instanceColorModes: f32,
  @location(8) instanceOffsets: vec2<f32>,
  @location(9) instancePixelOffset: vec2<f32>,
  PICKING_COLOR_ATTRIBUTE
};

struct Varyings {
  @builtin(position) position: vec4<f32>,

  @location(0) vColorMode: f32,
  @location(1) vColor: vec4<f32>,
  @location(2) vTextureCoords: vec2<f32>,
  @location(3) uv: vec2<f32>,
  @location(4) pickingColor: vec3<f32>,
};

@vertex
fn vertexMain(inp: Attributes) -> Varyings {
  // write geometry fields used by filters + FS
  geometry.worldPosition = inp.instancePositions;
  geometry.uv = inp.positions;
  geometry.pickingColor = PICKING_COLOR_VALUE;

  var outp: Varyings;
  outp.uv = inp.positions;

  let iconSize = inp.instanceIconFrames.zw;

  // convert size in meters to pixels, then clamp
  let sizePixels = clamp(
    project_unit_size_to_pixel(inp.instanceSizes * icon.sizeScale, icon.sizeUnits),
    icon.sizeMinPixels, icon.sizeMaxPixels
  );

  // scale icon height to match instanceSize
  let iconConstraint = select(iconSize.y, iconSize.x, icon.sizeBasis == 0.0);
  let instanceScale = select(sizePixels / iconConstraint, 0.0, iconConstraint == 0.0);

  // scale and rotate vertex in "pixel" units; then add per-instance pixel offset
  var pixelOffset = inp.positions / 2.0 * iconSize + inp.instanceOffsets;
  pixelOffset = rotate_by_angle(pixelOffset, inp.instanceAngles) * instanceScale;
  pixelOffset = pixelOffset + inp.instancePixelOffset;
  pixelOffset.y = pixelOffset.y * -1.0;

  if (icon.billboard != 0) {
    var pos = project_position_to_clipspace(inp.instancePositions, inp.instancePositions64Low, vec3<f32>(0.0)); // TODO, &geometry.position);
    // DECKGL_FILTER_GL_POSITION(pos, geometry);

    var offset = vec3<f32>(pixelOffset, 0.0);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let clipOffset = project_pixel_size_to_clipspace(offset.xy);
    pos = vec4<f32>(pos.x + clipOffset.x, pos.y + clipOffset.y, pos.z, pos.w);
    outp.position = pos;
  } else {
    var offset_common = vec3<f32>(project_pixel_size_vec2(pixelOffset), 0.0);
    // DECKGL_FILTER_SIZE(offset_common, geometry);
    var pos = project_position_to_clipspace(inp.instancePositions, inp.instancePositions64Low, offset_common); // TODO, &geometry.position);
    // DECKGL_FILTER_GL_POSITION(pos, geometry);
    outp.position = pos;
  }

  let uvMix = (inp.positions.xy + vec2<f32>(1.0, 1.0)) * 0.5;
  outp.vTextureCoords = mix(inp.instanceIconFrames.xy, inp.instanceIconFrames.xy + iconSize, uvMix) / icon.iconsTextureDim;

  outp.vColor = inp.instanceColors;
  // DECKGL_FILTER_COLOR(outp.vColor, geometry);

  outp.vColorMode = inp.instanceColorModes;
  outp.pickingColor = geometry.pickingColor;

  return outp;
}

@fragment
fn fragmentMain(inp: Varyings) -> @location(0) vec4<f32> {
  // expose to deck.gl filter hooks
  geometry.uv = inp.uv;

  let texColor = textureSample(iconsTexture, iconsTextureSampler, inp.vTextureCoords);

  // if colorMode == 0, use pixel color from the texture
  // if colorMode == 1 (or picking), use texture as transparency mask
  let rgb = mix(texColor.rgb, inp.vColor.rgb, inp.vColorMode);
  let a = texColor.a * layer.opacity * inp.vColor.a;

  if (a < icon.alphaCutoff) {
    discard;
  }

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(inp.pickingColor)) {
      discard;
    }
    return vec4<f32>(inp.pickingColor, 1.0);
  }

  var fragColor = deckgl_premultiplied_alpha(vec4<f32>(rgb, a));

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(inp.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return fragColor;
}
`;function LE(r){return v6.replace("PICKING_COLOR_ATTRIBUTE",r?"@location(10) rowIndexes: u32,":"").replace("PICKING_COLOR_VALUE",r?"picking_getPickingColorFromIndex(inp.rowIndexes)":"picking_getPickingColorFromIndex(inp.instanceIndex)")}var w6=1024,P6=4,CE=()=>{},AE={minFilter:"linear",mipmapFilter:"linear",magFilter:"linear",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge"},E6={x:0,y:0,width:0,height:0};function S6(r){return Math.pow(2,Math.ceil(Math.log2(r)))}function T6(r,e,t,i){let n=Math.min(t/e.width,i/e.height),o=Math.floor(e.width*n),s=Math.floor(e.height*n);return n===1?{image:e,width:o,height:s}:(r.canvas.height=s,r.canvas.width=o,r.clearRect(0,0,o,s),r.drawImage(e,0,0,e.width,e.height,0,0,o,s),{image:r.canvas,width:o,height:s})}function Ys(r){return r&&(r.id||r.url)}function IE(r){let{device:e}=r;e.type==="webgl"?r.generateMipmapsWebGL():e.type==="webgpu"&&e.generateMipmapsWebGPU(r)}function L6(r,e,t,i){let{width:n,height:o,device:s}=r,a=s.createTexture({format:"rgba8unorm",width:e,height:t,sampler:i,mipLevels:s.getMipLevelCount(e,t)}),c=s.createCommandEncoder();c.copyTextureToTexture({sourceTexture:r,destinationTexture:a,width:n,height:o});let l=c.finish();return s.submit(l),IE(a),r.destroy(),a}function ME(r,e,t){for(let i=0;i<e.length;i++){let{icon:n,xOffset:o}=e[i],s=Ys(n);r[s]={...n,x:o,y:t}}}function C6({icons:r,buffer:e,mapping:t={},xOffset:i=0,yOffset:n=0,rowHeight:o=0,canvasWidth:s}){let a=[];for(let c=0;c<r.length;c++){let l=r[c],f=Ys(l);if(!t[f]){let{height:u,width:d}=l;i+d+e>s&&(ME(t,a,n),i=0,n=o+n+e,o=0,a=[]),a.push({icon:l,xOffset:i}),i=i+d+e,o=Math.max(o,u)}}return a.length>0&&ME(t,a,n),{mapping:t,rowHeight:o,xOffset:i,yOffset:n,canvasWidth:s,canvasHeight:S6(o+n+e)}}function A6(r,e,t){if(!r||!e)return null;t=t||{};let i={},{iterable:n,objectInfo:o}=He(r);for(let s of n){o.index++;let a=e(s,o),c=Ys(a);if(!a)throw new Error("Icon is missing.");if(!a.url)throw new Error("Icon url is missing.");!i[c]&&(!t[c]||a.url!==t[c].url)&&(i[c]={...a,source:s,sourceIndex:o.index})}return i}var qs=class{constructor(e,{onUpdate:t=CE,onError:i=CE}){this._loadOptions=null,this._texture=null,this._externalTexture=null,this._mapping={},this._samplerParameters=null,this._pendingCount=0,this._autoPacking=!1,this._xOffset=0,this._yOffset=0,this._rowHeight=0,this._buffer=P6,this._canvasWidth=w6,this._canvasHeight=0,this._canvas=null,this.device=e,this.onUpdate=t,this.onError=i}finalize(){this._texture?.delete()}getTexture(){return this._texture||this._externalTexture}getIconMapping(e){let t=this._autoPacking?Ys(e):e;return this._mapping[t]||E6}setProps({loadOptions:e,autoPacking:t,iconAtlas:i,iconMapping:n,textureParameters:o}){e&&(this._loadOptions=e),t!==void 0&&(this._autoPacking=t),n&&(this._mapping=n),i&&(this._texture?.delete(),this._texture=null,this._externalTexture=i),o&&(this._samplerParameters=o)}get isLoaded(){return this._pendingCount===0}packIcons(e,t){if(!this._autoPacking||typeof document>"u")return;let i=Object.values(A6(e,t,this._mapping)||{});if(i.length>0){let{mapping:n,xOffset:o,yOffset:s,rowHeight:a,canvasHeight:c}=C6({icons:i,buffer:this._buffer,canvasWidth:this._canvasWidth,mapping:this._mapping,rowHeight:this._rowHeight,xOffset:this._xOffset,yOffset:this._yOffset});this._rowHeight=a,this._mapping=n,this._xOffset=o,this._yOffset=s,this._canvasHeight=c,this._texture||(this._texture=this.device.createTexture({format:"rgba8unorm",data:null,width:this._canvasWidth,height:this._canvasHeight,sampler:this._samplerParameters||AE,mipLevels:this.device.getMipLevelCount(this._canvasWidth,this._canvasHeight)})),this._texture.height!==this._canvasHeight&&(this._texture=L6(this._texture,this._canvasWidth,this._canvasHeight,this._samplerParameters||AE)),this.onUpdate(!0),this._canvas=this._canvas||document.createElement("canvas"),this._loadIcons(i)}}_loadIcons(e){let t=this._canvas.getContext("2d",{willReadFrequently:!0});for(let i of e)this._pendingCount++,or(i.url,this._loadOptions).then(n=>{let o=Ys(i),s=this._mapping[o],{x:a,y:c,width:l,height:f}=s,{image:u,width:d,height:h}=T6(t,n,l,f),p=a+(l-d)/2,g=c+(f-h)/2;this._texture?.copyExternalImage({image:u,x:p,y:g,width:d,height:h}),s.x=p,s.y=g,s.width=d,s.height=h,this._texture&&IE(this._texture),this.onUpdate(d!==l||h!==f)}).catch(n=>{this.onError({url:i.url,source:i.source,sourceIndex:i.sourceIndex,loadOptions:this._loadOptions,error:n})}).finally(()=>{this._pendingCount--})}};var RE=[0,0,0,255],M6={iconAtlas:{type:"image",value:null,async:!0},iconMapping:{type:"object",value:{},async:!0},sizeScale:{type:"number",value:1,min:0},billboard:!0,sizeUnits:"pixels",sizeBasis:"height",sizeMinPixels:{type:"number",min:0,value:0},sizeMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},alphaCutoff:{type:"number",value:.05,min:0,max:1},getPosition:{type:"accessor",value:r=>r.position},getIcon:{type:"accessor",value:r=>r.icon},getColor:{type:"accessor",value:RE},getSize:{type:"accessor",value:1},getAngle:{type:"accessor",value:0},getPixelOffset:{type:"accessor",value:[0,0]},onIconError:{type:"function",value:null,optional:!0},textureParameters:{type:"object",ignore:!0,value:null}},Zs=class extends ae{getShaders(){let e=!!this.props.data?.attributes?.rowIndexes;return super.getShaders({vs:SE,fs:TE,source:LE(e),defines:e?{USE_ROW_INDEXES:!0}:{},modules:[de,fe,he,EE]})}initializeState(){this.state={iconManager:new qs(this.context.device,{onUpdate:this._onUpdate.bind(this),onError:this._onError.bind(this)})},this.getAttributeManager().addInstanced({instancePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getPosition"},instanceSizes:{size:1,transition:!0,bufferGroup:"icon-instance-data",accessor:"getSize",defaultValue:1},instanceIconDefs:{size:7,bufferGroup:"icon-instance-data",accessor:"getIcon",transform:this.getInstanceIconDef,shaderAttributes:{instanceOffsets:{size:2,elementOffset:0},instanceIconFrames:{size:4,elementOffset:2},instanceColorModes:{size:1,elementOffset:6}}},instanceColors:{size:this.props.colorFormat.length,type:"unorm8",transition:!0,bufferGroup:"icon-instance-data",accessor:"getColor",defaultValue:RE},instanceAngles:{size:1,transition:!0,bufferGroup:"icon-instance-data",accessor:"getAngle"},instancePixelOffset:{size:2,transition:!0,bufferGroup:"icon-instance-data",accessor:"getPixelOffset"},...this.props.data?.attributes?.rowIndexes?{rowIndexes:{size:1,type:"uint32",noAlloc:!0}}:{}})}updateState(e){super.updateState(e);let{props:t,oldProps:i,changeFlags:n}=e,o=this.getAttributeManager(),{iconAtlas:s,iconMapping:a,data:c,getIcon:l,textureParameters:f}=t,{iconManager:u}=this.state;if(typeof s=="string")return;let d=s||this.internalState.isAsyncPropLoading("iconAtlas");u.setProps({loadOptions:t.loadOptions,autoPacking:!d,iconAtlas:s,iconMapping:d?a:null,textureParameters:f}),d?i.iconMapping!==t.iconMapping&&o.invalidate("getIcon"):(n.dataChanged||n.updateTriggersChanged&&(n.updateTriggersChanged.all||n.updateTriggersChanged.getIcon))&&u.packIcons(c,l),n.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),o.invalidateAll())}get isLoaded(){return super.isLoaded&&this.state.iconManager.isLoaded}finalizeState(e){super.finalizeState(e),this.state.iconManager.finalize()}draw({uniforms:e}){this._drawModel(this.state.model)}_drawModel(e){let{sizeScale:t,sizeBasis:i,sizeMinPixels:n,sizeMaxPixels:o,sizeUnits:s,billboard:a,alphaCutoff:c}=this.props,{iconManager:l}=this.state,f=l.getTexture();if(f){let u={iconsTexture:f,iconsTextureDim:[f.width,f.height],sizeUnits:ne[s],sizeScale:t,sizeBasis:i==="height"?1:0,sizeMinPixels:n,sizeMaxPixels:o,billboard:a,alphaCutoff:c};e.shaderInputs.setProps({icon:u}),e.draw(this.context.renderPass)}}_getModel(e=this.props.id){let t=[-1,-1,1,-1,-1,1,1,1];return new Z(this.context.device,{...this.getShaders(),id:e,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new pe({topology:"triangle-strip",attributes:{positions:{size:2,value:new Float32Array(t)}}}),isInstanced:!0})}_onUpdate(e){e?(this.getAttributeManager()?.invalidate("getIcon"),this.setNeedsUpdate()):this.setNeedsRedraw()}_onError(e){let t=this.getCurrentLayer()?.props.onIconError;t?t(e):B.error(e.error.message)()}getInstanceIconDef(e){let{x:t,y:i,width:n,height:o,mask:s,anchorX:a=n/2,anchorY:c=o/2}=this.state.iconManager.getIconMapping(e);return[n/2-a,o/2-c,t,i,n,o,s?1:0]}};Zs.defaultProps=M6;Zs.layerName="IconLayer";var wf=Zs;q();var OE=`layout(std140) uniform lineUniforms {
  float widthScale;
  float widthMinPixels;
  float widthMaxPixels;
  float useShortestPath;
  highp int widthUnits;
} line;
`,BE={name:"line",source:"",vs:OE,fs:OE,uniformTypes:{widthScale:"f32",widthMinPixels:"f32",widthMaxPixels:"f32",useShortestPath:"f32",widthUnits:"i32"}};var DE=`// ---------- Helper Structures & Functions ----------

// Placeholder filter functions.
fn deckgl_filter_size(offset: vec3<f32>, geometry: Geometry) -> vec3<f32> {
  return offset;
}
fn deckgl_filter_gl_position(p: vec4<f32>, geometry: Geometry) -> vec4<f32> {
  if (picking.isAttribute > 0.5) {
    // For depth picking, write normalized depth into the picking payload.
    // This mirrors the legacy DECKGL_FILTER_GL_POSITION hook on WebGL.
  }
  return p;
}

// Compute an extrusion offset given a line direction (in clipspace),
// an offset direction (-1 or 1), and a width in pixels.
// Assumes a uniform "project" with a viewportSize field is available.
fn getExtrusionOffset(line_clipspace: vec2<f32>, offset_direction: f32, width: f32) -> vec2<f32> {
  // project.viewportSize should be provided as a uniform (not shown here)
  let dir_screenspace = normalize(line_clipspace * project.viewportSize);
  // Rotate by 90\xB0: (x,y) becomes (-y,x)
  let rotated = vec2<f32>(-dir_screenspace.y, dir_screenspace.x);
  return rotated * offset_direction * width / 2.0;
}

// Splits the line between two points at a given x coordinate.
// Interpolates the y and z components.
fn splitLine(a: vec3<f32>, b: vec3<f32>, x: f32) -> vec3<f32> {
  let t: f32 = (x - a.x) / (b.x - a.x);
  return vec3<f32>(x, a.yz + t * (b.yz - a.yz));
}

// ---------- Uniforms & Global Structures ----------

struct LineUniforms {
  widthScale: f32,
  widthMinPixels: f32,
  widthMaxPixels: f32,
  useShortestPath: f32,
  widthUnits: i32,
};

@group(0) @binding(0)
var<uniform> line: LineUniforms;



// ---------- Vertex Output Structure ----------

struct Varyings {
  @builtin(position) gl_Position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) uv: vec2<f32>,
  @location(2) pickingColor: vec3<f32>,
};

// ---------- Vertex Shader Entry Point ----------

@vertex
fn vertexMain(
  @builtin(instance_index) instanceIndex: u32,
  @location(0) positions: vec3<f32>,
  @location(1) instanceSourcePositions: vec3<f32>,
  @location(2) instanceTargetPositions: vec3<f32>,
  @location(3) instanceSourcePositions64Low: vec3<f32>,
  @location(4) instanceTargetPositions64Low: vec3<f32>,
  @location(5) instanceColors: vec4<f32>,
  @location(6) instanceWidths: f32
) -> Varyings {
  geometry.worldPosition = instanceSourcePositions;
  geometry.worldPositionAlt = instanceTargetPositions;

  var source_world: vec3<f32> = instanceSourcePositions;
  var target_world: vec3<f32> = instanceTargetPositions;
  var source_world_64low: vec3<f32> = instanceSourcePositions64Low;
  var target_world_64low: vec3<f32> = instanceTargetPositions64Low;

  // Apply shortest-path adjustments if needed.
  if (line.useShortestPath > 0.5 || line.useShortestPath < -0.5) {
    source_world.x = (source_world.x + 180.0 % 360.0) - 180.0;
    target_world.x = (target_world.x + 180.0 % 360.0) - 180.0;
    let deltaLng: f32 = target_world.x - source_world.x;

    if (deltaLng * line.useShortestPath > 180.0) {
      source_world.x = source_world.x + 360.0 * line.useShortestPath;
      source_world = splitLine(source_world, target_world, 180.0 * line.useShortestPath);
      source_world_64low = vec3<f32>(0.0, 0.0, 0.0);
    } else if (deltaLng * line.useShortestPath < -180.0) {
      target_world.x = target_world.x + 360.0 * line.useShortestPath;
      target_world = splitLine(source_world, target_world, 180.0 * line.useShortestPath);
      target_world_64low = vec3<f32>(0.0, 0.0, 0.0);
    } else if (line.useShortestPath < 0.0) {
      var abortOut: Varyings;
      abortOut.gl_Position = vec4<f32>(0.0);
      abortOut.vColor = vec4<f32>(0.0);
      abortOut.uv = vec2<f32>(0.0);
      return abortOut;
    }
  }

  // Project Pos and target positions to clip space.
  let sourceResult = project_position_to_clipspace_and_commonspace(source_world, source_world_64low, vec3<f32>(0.0));
  let targetResult = project_position_to_clipspace_and_commonspace(target_world, target_world_64low, vec3<f32>(0.0));
  let sourcePos: vec4<f32> = sourceResult.clipPosition;
  let targetPos: vec4<f32> = targetResult.clipPosition;
  let source_commonspace: vec4<f32> = sourceResult.commonPosition;
  let target_commonspace: vec4<f32> = targetResult.commonPosition;

  // Interpolate along the line segment.
  let segmentIndex: f32 = positions.x;
  let p: vec4<f32> = sourcePos + segmentIndex * (targetPos - sourcePos);
  geometry.position = source_commonspace + segmentIndex * (target_commonspace - source_commonspace);
#ifdef ANTIALIASING
  var uv: vec2<f32> = positions.xy;
#else
  let uv: vec2<f32> = positions.xy;
#endif
  geometry.uv = uv;
  geometry.pickingColor = picking_getPickingColorFromIndex(instanceIndex);

  // Determine width in pixels.
  let widthPixels: f32 = clamp(
    project_unit_size_to_pixel(instanceWidths * line.widthScale, line.widthUnits),
    line.widthMinPixels, line.widthMaxPixels
  );

  // Compute extrusion offset.
  let extrusion: vec2<f32> = getExtrusionOffset(targetPos.xy - sourcePos.xy, positions.y, widthPixels);
  let offset: vec3<f32> = vec3<f32>(extrusion, 0.0);

  // Apply deck.gl filter functions.
#ifdef ANTIALIASING
  var filteredOffset = deckgl_filter_size(offset, geometry);
  let halfWidthPixels = length(filteredOffset.xy);
  if (halfWidthPixels > 0.0) {
    // Keep the declared edge at abs(uv.y) == 1 while rasterizing the outer half of the centered
    // one-device-pixel coverage ramp.
    let coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
    filteredOffset *= coverageScale;
    uv.y *= coverageScale;
  }
  geometry.uv = uv;
#else
  let filteredOffset = deckgl_filter_size(offset, geometry);
#endif
  let filteredP = deckgl_filter_gl_position(p, geometry);

  let clipOffset: vec2<f32> = project_pixel_size_to_clipspace(filteredOffset.xy);
  let finalPosition: vec4<f32> = filteredP + vec4<f32>(clipOffset, 0.0, 0.0);

  // Compute color.
  var vColor: vec4<f32> = vec4<f32>(instanceColors.rgb, instanceColors.a * layer.opacity);
  // vColor = deckgl_filter_color(vColor, geometry);

  var output: Varyings;
  output.gl_Position = finalPosition;
  output.vColor = vColor;
  output.uv = uv;
  output.pickingColor = geometry.pickingColor;
  return output;
}

@fragment
fn fragmentMain(
  @location(0) vColor: vec4<f32>,
  @location(1) uv: vec2<f32>,
  @location(2) pickingColor: vec3<f32>
) -> @location(0) vec4<f32> {
  // Create and initialize geometry with the provided uv.
  var geometry: Geometry;
  geometry.uv = uv;

  // Start with the input color.
  var fragColor: vec4<f32> = vColor;

#ifdef ANTIALIASING
  // Distance to the edge in device pixels, from the derivative of uv.y. Taken in uniform control
  // flow, ahead of the picking discard below
  let edgeCoord = abs(uv.y);
  let edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);

  // Fragments outside the coverage ramp must not write depth or picking colors.
  if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
    discard;
  }

  // Feather one device pixel across the width, before premultiplication below. The ends are left
  // hard - they abut neighbors
  fragColor.a *= smoothedge(0.0, edgePixels);
#endif

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(pickingColor)) {
      discard;
    }
    return vec4<f32>(pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  // Apply premultiplied alpha as required by transparent canvas
  fragColor = deckgl_premultiplied_alpha(fragColor);

  return fragColor;
}
`;var kE=`#version 300 es
#define SHADER_NAME line-layer-vertex-shader
in vec3 positions;
in vec3 instanceSourcePositions;
in vec3 instanceTargetPositions;
in vec3 instanceSourcePositions64Low;
in vec3 instanceTargetPositions64Low;
in vec4 instanceColors;
in float instanceWidths;
out vec4 vColor;
out vec2 uv;
vec2 getExtrusionOffset(vec2 line_clipspace, float offset_direction, float width) {
vec2 dir_screenspace = normalize(line_clipspace * project.viewportSize);
dir_screenspace = vec2(-dir_screenspace.y, dir_screenspace.x);
return dir_screenspace * offset_direction * width / 2.0;
}
vec3 splitLine(vec3 a, vec3 b, float x) {
float t = (x - a.x) / (b.x - a.x);
return vec3(x, mix(a.yz, b.yz, t));
}
void main(void) {
geometry.worldPosition = instanceSourcePositions;
geometry.worldPositionAlt = instanceTargetPositions;
vec3 source_world = instanceSourcePositions;
vec3 target_world = instanceTargetPositions;
vec3 source_world_64low = instanceSourcePositions64Low;
vec3 target_world_64low = instanceTargetPositions64Low;
if (line.useShortestPath > 0.5 || line.useShortestPath < -0.5) {
source_world.x = mod(source_world.x + 180., 360.0) - 180.;
target_world.x = mod(target_world.x + 180., 360.0) - 180.;
float deltaLng = target_world.x - source_world.x;
if (deltaLng * line.useShortestPath > 180.) {
source_world.x += 360. * line.useShortestPath;
source_world = splitLine(source_world, target_world, 180. * line.useShortestPath);
source_world_64low = vec3(0.0);
} else if (deltaLng * line.useShortestPath < -180.) {
target_world.x += 360. * line.useShortestPath;
target_world = splitLine(source_world, target_world, 180. * line.useShortestPath);
target_world_64low = vec3(0.0);
} else if (line.useShortestPath < 0.) {
gl_Position = vec4(0.);
return;
}
}
vec4 source_commonspace;
vec4 target_commonspace;
vec4 source = project_position_to_clipspace(source_world, source_world_64low, vec3(0.), source_commonspace);
vec4 target = project_position_to_clipspace(target_world, target_world_64low, vec3(0.), target_commonspace);
float segmentIndex = positions.x;
vec4 p = mix(source, target, segmentIndex);
geometry.position = mix(source_commonspace, target_commonspace, segmentIndex);
uv = positions.xy;
geometry.uv = uv;
geometry.pickingColor = picking_getPickingColorFromInstanceID();
float widthPixels = clamp(
project_size_to_pixel(instanceWidths * line.widthScale, line.widthUnits),
line.widthMinPixels, line.widthMaxPixels
);
vec3 offset = vec3(
getExtrusionOffset(target.xy - source.xy, positions.y, widthPixels),
0.0);
DECKGL_FILTER_SIZE(offset, geometry);
#ifdef ANTIALIASING
float halfWidthPixels = length(offset.xy);
if (halfWidthPixels > 0.0) {
float coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
offset.xy *= coverageScale;
uv.y *= coverageScale;
}
geometry.uv = uv;
#endif
DECKGL_FILTER_GL_POSITION(p, geometry);
gl_Position = p + vec4(project_pixel_size_to_clipspace(offset.xy), 0.0, 0.0);
vColor = vec4(instanceColors.rgb, instanceColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vColor, geometry);
}
`;var NE=`#version 300 es
#define SHADER_NAME line-layer-fragment-shader
precision highp float;
in vec4 vColor;
in vec2 uv;
out vec4 fragColor;
void main(void) {
geometry.uv = uv;
fragColor = vColor;
#ifdef ANTIALIASING
float edgeCoord = abs(uv.y);
float edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);
if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
discard;
}
fragColor.a *= smoothedge(0.0, edgePixels);
#endif
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var I6=[0,0,0,255],R6={getSourcePosition:{type:"accessor",value:r=>r.sourcePosition},getTargetPosition:{type:"accessor",value:r=>r.targetPosition},getColor:{type:"accessor",value:I6},getWidth:{type:"accessor",value:1},widthUnits:"pixels",widthScale:{type:"number",value:1,min:0},widthMinPixels:{type:"number",value:0,min:0},widthMaxPixels:{type:"number",value:Number.MAX_SAFE_INTEGER,min:0},antialiasing:!1},Xs=class extends ae{getBounds(){return this.getAttributeManager()?.getBounds(["instanceSourcePositions","instanceTargetPositions"])}getShaders(){let{antialiasing:e}=this.props;return super.getShaders({vs:kE,fs:NE,source:DE,defines:e?{ANTIALIASING:1}:{},modules:[de,fe,he,BE]})}get wrapLongitude(){return!1}initializeState(){this.getAttributeManager().addInstanced({instanceSourcePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getSourcePosition"},instanceTargetPositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getTargetPosition"},instanceColors:{size:this.props.colorFormat.length,type:"unorm8",transition:!0,accessor:"getColor",defaultValue:[0,0,0,255]},instanceWidths:{size:1,transition:!0,accessor:"getWidth",defaultValue:1}})}updateState(e){super.updateState(e);let{props:t,oldProps:i,changeFlags:n}=e;(n.extensionsChanged||t.antialiasing!==i.antialiasing)&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{widthUnits:t,widthScale:i,widthMinPixels:n,widthMaxPixels:o,wrapLongitude:s}=this.props,a=this.state.model,c={widthUnits:ne[t],widthScale:i,widthMinPixels:n,widthMaxPixels:o,useShortestPath:s?1:0};a.shaderInputs.setProps({line:c}),a.draw(this.context.renderPass),s&&(a.shaderInputs.setProps({line:{...c,useShortestPath:-1}}),a.draw(this.context.renderPass))}_getModel(){let e=[0,-1,0,0,1,0,1,-1,0,1,1,0];return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new pe({topology:"triangle-strip",attributes:{positions:{size:3,value:new Float32Array(e)}}}),isInstanced:!0})}};Xs.layerName="LineLayer";Xs.defaultProps=R6;var FE=Xs;q();var zE=`layout(std140) uniform scatterplotUniforms {
  float radiusScale;
  float radiusMinPixels;
  float radiusMaxPixels;
  float lineWidthScale;
  float lineWidthMinPixels;
  float lineWidthMaxPixels;
  float stroked;
  float filled;
  bool antialiasing;
  bool billboard;
  highp int radiusUnits;
  highp int lineWidthUnits;
} scatterplot;
`,UE={name:"scatterplot",vs:zE,fs:zE,source:"",uniformTypes:{radiusScale:"f32",radiusMinPixels:"f32",radiusMaxPixels:"f32",lineWidthScale:"f32",lineWidthMinPixels:"f32",lineWidthMaxPixels:"f32",stroked:"f32",filled:"f32",antialiasing:"f32",billboard:"f32",radiusUnits:"i32",lineWidthUnits:"i32"}};var GE=`#version 300 es
#define SHADER_NAME scatterplot-layer-vertex-shader
in vec3 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in float instanceRadius;
in float instanceLineWidths;
in vec4 instanceFillColors;
in vec4 instanceLineColors;
#ifdef USE_ROW_INDEXES
in float rowIndexes;
#endif
in vec2 instancePixelOffset;
out vec4 vFillColor;
out vec4 vLineColor;
out vec2 unitPosition;
out float innerUnitRadius;
out float outerRadiusPixels;
void main(void) {
geometry.worldPosition = instancePositions;
outerRadiusPixels = clamp(
project_size_to_pixel(scatterplot.radiusScale * instanceRadius, scatterplot.radiusUnits),
scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
);
float lineWidthPixels = clamp(
project_size_to_pixel(scatterplot.lineWidthScale * instanceLineWidths, scatterplot.lineWidthUnits),
scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
);
outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
float edgePadding = scatterplot.antialiasing ? (outerRadiusPixels + SMOOTH_EDGE_RADIUS) / outerRadiusPixels : 1.0;
unitPosition = edgePadding * positions.xy;
geometry.uv = unitPosition;
#ifdef USE_ROW_INDEXES
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
#else
geometry.pickingColor = picking_getPickingColorFromInstanceID();
#endif
innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / outerRadiusPixels;
if (scatterplot.billboard) {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = edgePadding * positions * outerRadiusPixels;
offset.xy += instancePixelOffset;
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset = edgePadding * positions * project_pixel_size(outerRadiusPixels);
offset.xy += project_pixel_size(instancePixelOffset);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
vFillColor = vec4(instanceFillColors.rgb, instanceFillColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vFillColor, geometry);
vLineColor = vec4(instanceLineColors.rgb, instanceLineColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vLineColor, geometry);
}
`;var VE=`#version 300 es
#define SHADER_NAME scatterplot-layer-fragment-shader
precision highp float;
in vec4 vFillColor;
in vec4 vLineColor;
in vec2 unitPosition;
in float innerUnitRadius;
in float outerRadiusPixels;
out vec4 fragColor;
void main(void) {
geometry.uv = unitPosition;
float distToCenter = length(unitPosition) * outerRadiusPixels;
float inCircle = scatterplot.antialiasing ?
smoothedge(distToCenter, outerRadiusPixels) :
step(distToCenter, outerRadiusPixels);
if (inCircle == 0.0) {
discard;
}
if (scatterplot.stroked > 0.5) {
float isLine = scatterplot.antialiasing ?
smoothedge(innerUnitRadius * outerRadiusPixels, distToCenter) :
step(innerUnitRadius * outerRadiusPixels, distToCenter);
if (scatterplot.filled > 0.5) {
fragColor = mix(vFillColor, vLineColor, isLine);
} else {
if (isLine == 0.0) {
discard;
}
fragColor = vec4(vLineColor.rgb, vLineColor.a * isLine);
}
} else if (scatterplot.filled < 0.5) {
discard;
} else {
fragColor = vFillColor;
}
fragColor.a *= inCircle;
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var O6=`// Main shaders

struct ScatterplotUniforms {
  radiusScale: f32,
  radiusMinPixels: f32,
  radiusMaxPixels: f32,
  lineWidthScale: f32,
  lineWidthMinPixels: f32,
  lineWidthMaxPixels: f32,
  stroked: f32,
  filled: i32,
  antialiasing: i32,
  billboard: i32,
  radiusUnits: i32,
  lineWidthUnits: i32,
};

@group(0) @binding(0) var<uniform> scatterplot: ScatterplotUniforms;

struct Attributes {
  @builtin(instance_index) instanceIndex : u32,
  @builtin(vertex_index) vertexIndex : u32,
  @location(0) positions: vec3<f32>,
  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceRadius: f32,
  @location(4) instanceLineWidths: f32,
  @location(5) instanceFillColors: vec4<f32>,
  @location(6) instanceLineColors: vec4<f32>,
  @location(7) instancePixelOffset: vec2<f32>,
  PICKING_COLOR_ATTRIBUTE
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vFillColor: vec4<f32>,
  @location(1) vLineColor: vec4<f32>,
  @location(2) unitPosition: vec2<f32>,
  @location(3) innerUnitRadius: f32,
  @location(4) outerRadiusPixels: f32,
  @location(5) pickingColor: vec3<f32>,
  @location(6) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var varyings: Varyings;

  // Draw an inline geometry constant array clip space triangle to verify that rendering works.
  // var positions = array<vec2<f32>, 3>(vec2(0.0, 0.5), vec2(-0.5, -0.5), vec2(0.5, -0.5));
  // if (attributes.instanceIndex == 0) {
  //   varyings.position = vec4<f32>(positions[attributes.vertexIndex], 0.0, 1.0);
  //   return varyings;
  // }

  geometry.worldPosition = attributes.instancePositions;

  // Multiply out radius and clamp to limits
  varyings.outerRadiusPixels = clamp(
    project_unit_size_to_pixel(scatterplot.radiusScale * attributes.instanceRadius, scatterplot.radiusUnits),
    scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
  );

  // Multiply out line width and clamp to limits
  let lineWidthPixels = clamp(
    project_unit_size_to_pixel(scatterplot.lineWidthScale * attributes.instanceLineWidths, scatterplot.lineWidthUnits),
    scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
  );

  // outer radius needs to offset by half stroke width
  varyings.outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
  // Expand geometry to accommodate edge smoothing
  // WGSL selects the second value when the condition is true, so keep the antialiased path second.
  let edgePadding = select(
    1.0,
    (varyings.outerRadiusPixels + SMOOTH_EDGE_RADIUS) / varyings.outerRadiusPixels,
    scatterplot.antialiasing != 0
  );

  // position on the containing square in [-1, 1] space
  varyings.unitPosition = edgePadding * attributes.positions.xy;
  geometry.uv = varyings.unitPosition;
  geometry.pickingColor = PICKING_COLOR_VALUE;

  varyings.innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / varyings.outerRadiusPixels;

  if (scatterplot.billboard != 0) {
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      vec3<f32>(0.0)
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
    var offset = edgePadding * attributes.positions * varyings.outerRadiusPixels;
    offset = vec3<f32>(offset.xy + attributes.instancePixelOffset, offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let clipPixels = project_pixel_size_to_clipspace(offset.xy);
    varyings.position = vec4<f32>(varyings.position.x + clipPixels.x, varyings.position.y + clipPixels.y, varyings.position.z, varyings.position.w);
    geometry.position = vec4<f32>(
      geometry.position.xy + project_pixel_size_vec2(offset.xy),
      geometry.position.zw
    );
  } else {
    var offset = edgePadding * attributes.positions * project_pixel_size_float(varyings.outerRadiusPixels);
    offset = vec3<f32>(offset.xy + project_pixel_size_vec2(attributes.instancePixelOffset), offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      offset
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
  }

  varyings.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&varyings.position, geometry.worldPosition.xy);

  // Apply opacity to instance color, or return instance picking color
  varyings.vFillColor = vec4<f32>(attributes.instanceFillColors.rgb, attributes.instanceFillColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vFillColor, geometry);
  varyings.vLineColor = vec4<f32>(attributes.instanceLineColors.rgb, attributes.instanceLineColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vLineColor, geometry);
  varyings.pickingColor = geometry.pickingColor;

  return varyings;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  // var geometry: Geometry;
  // geometry.uv = unitPosition;

  let distToCenter = length(varyings.unitPosition) * varyings.outerRadiusPixels;
  let inCircle = select(
    step(distToCenter, varyings.outerRadiusPixels),
    smoothedge(distToCenter, varyings.outerRadiusPixels),
    scatterplot.antialiasing != 0
  );

  if (inCircle == 0.0) {
    discard;
  }

  var fragColor: vec4<f32>;

  if (scatterplot.stroked != 0) {
    let isLine = select(
      step(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      smoothedge(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      scatterplot.antialiasing != 0
    );

    if (scatterplot.filled != 0) {
      fragColor = mix(varyings.vFillColor, varyings.vLineColor, isLine);
    } else {
      if (isLine == 0.0) {
        discard;
      }
      fragColor = vec4<f32>(varyings.vLineColor.rgb, varyings.vLineColor.a * isLine);
    }
  } else if (scatterplot.filled == 0) {
    discard;
  } else {
    fragColor = varyings.vFillColor;
  }

  fragColor.a *= inCircle;

  clip_filterColor(varyings.clipCoordinates);

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(varyings.pickingColor)) {
      discard;
    }
    return vec4<f32>(varyings.pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(varyings.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  // Apply premultiplied alpha as required by transparent canvas
  fragColor = deckgl_premultiplied_alpha(fragColor);

  return fragColor;
  // return vec4<f32>(0, 0, 1, 1);
}
`;function $E(r){return O6.replace("PICKING_COLOR_ATTRIBUTE",r?"@location(8) rowIndexes: u32,":"").replace("PICKING_COLOR_VALUE",r?"picking_getPickingColorFromIndex(attributes.rowIndexes)":"picking_getPickingColorFromIndex(attributes.instanceIndex)")}var B6=`struct ClipUniforms {
  enabled: i32,
  mode: i32,
  bounds: vec4<f32>,
};

@group(2) @binding(auto) var<uniform> clipUniforms: ClipUniforms;

fn clip_isInBounds(coordinates: vec2<f32>) -> bool {
  return coordinates.x >= clipUniforms.bounds.x &&
    coordinates.y >= clipUniforms.bounds.y &&
    coordinates.x < clipUniforms.bounds.z &&
    coordinates.y < clipUniforms.bounds.w;
}

fn clip_filterPosition(position: ptr<function, vec4<f32>>, instanceCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == 1 &&
    !clip_isInBounds(instanceCoordinates)
  ) {
    *position = vec4<f32>(2.0, 2.0, 2.0, 1.0);
  }
}

fn clip_filterColor(geometryCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == 0 &&
    !clip_isInBounds(geometryCoordinates)
  ) {
    discard;
  }
}
`,D6={name:"clip",source:B6,props:{},uniforms:{},bindingLayout:[{name:"clip",group:2}],uniformTypes:{enabled:"i32",mode:"i32",bounds:"vec4<f32>"},defaultUniforms:{enabled:0,mode:0,bounds:[0,0,1,1]},getUniforms(r={}){let e={};return r.enabled!==void 0&&(e.enabled=r.enabled?1:0),r.mode!==void 0&&(e.mode=r.mode==="instance"?1:0),r.bounds!==void 0&&(e.bounds=r.bounds),e}},An=D6;var WE=[0,0,0,255],k6={radiusUnits:"meters",radiusScale:{type:"number",min:0,value:1},radiusMinPixels:{type:"number",min:0,value:0},radiusMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},lineWidthUnits:"meters",lineWidthScale:{type:"number",min:0,value:1},lineWidthMinPixels:{type:"number",min:0,value:0},lineWidthMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},stroked:!1,filled:!0,billboard:!1,antialiasing:!0,getPosition:{type:"accessor",value:r=>r.position},getRadius:{type:"accessor",value:1},getFillColor:{type:"accessor",value:WE},getLineColor:{type:"accessor",value:WE},getLineWidth:{type:"accessor",value:1},getPixelOffset:{type:"accessor",value:[0,0]},strokeWidth:{deprecatedFor:"getLineWidth"},outline:{deprecatedFor:"stroked"},getColor:{deprecatedFor:["getFillColor","getLineColor"]}},Ks=class extends ae{getShaders(){let e=!!this.props.data?.attributes?.rowIndexes;return super.getShaders({vs:GE,fs:VE,source:$E(e),defines:e?{USE_ROW_INDEXES:!0}:{},modules:[de,fe,he,UE,...this.context.device.type==="webgpu"?[An]:[]]})}initializeState(){let e=this.props.data?.attributes?.rowIndexes?{rowIndexes:{size:1,type:"uint32",noAlloc:!0}}:{};this.getAttributeManager().addInstanced({instancePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getPosition"},instanceRadius:{size:1,transition:!0,accessor:"getRadius",defaultValue:1,bufferGroup:"scatterplot-instance-data"},instanceFillColors:{size:this.props.colorFormat.length,transition:!0,type:"unorm8",accessor:"getFillColor",defaultValue:[0,0,0,255],bufferGroup:"scatterplot-instance-data"},instanceLineColors:{size:this.props.colorFormat.length,transition:!0,type:"unorm8",accessor:"getLineColor",defaultValue:[0,0,0,255],bufferGroup:"scatterplot-instance-data"},instanceLineWidths:{size:1,transition:!0,accessor:"getLineWidth",defaultValue:1,bufferGroup:"scatterplot-instance-data"},instancePixelOffset:{size:2,transition:!0,accessor:"getPixelOffset",bufferGroup:"scatterplot-instance-data"},...e})}updateState(e){super.updateState(e),e.changeFlags.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{radiusUnits:t,radiusScale:i,radiusMinPixels:n,radiusMaxPixels:o,stroked:s,filled:a,billboard:c,antialiasing:l,lineWidthUnits:f,lineWidthScale:u,lineWidthMinPixels:d,lineWidthMaxPixels:h}=this.props,p={stroked:s,filled:a,billboard:c,antialiasing:l,radiusUnits:ne[t],radiusScale:i,radiusMinPixels:n,radiusMaxPixels:o,lineWidthUnits:ne[f],lineWidthScale:u,lineWidthMinPixels:d,lineWidthMaxPixels:h},g=this.state.model;g.shaderInputs.setProps({scatterplot:p}),g.draw(this.context.renderPass)}_getModel(){let e=[-1,-1,0,1,-1,0,-1,1,0,1,1,0];return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new pe({topology:"triangle-strip",attributes:{positions:{size:3,value:new Float32Array(e)}}}),isInstanced:!0})}};Ks.defaultProps=k6;Ks.layerName="ScatterplotLayer";var jE=Ks;var Pf={CLOCKWISE:1,COUNTER_CLOCKWISE:-1};function Qs(r,e,t={}){return HE(r,t)!==e?(N6(r,t),!0):!1}function HE(r,e={}){return Math.sign(Ef(r,e))}var Dg={x:0,y:1,z:2};function Ef(r,e={}){let{start:t=0,end:i=r.length,plane:n="xy"}=e,o=e.size||2,s=0,a=Dg[n[0]],c=Dg[n[1]];for(let l=t,f=i-o;l<i;l+=o)s+=(r[l+a]-r[f+a])*(r[l+c]+r[f+c]),f=l;return s/2}function N6(r,e){let{start:t=0,end:i=r.length,size:n=2}=e,o=(i-t)/n,s=Math.floor(o/2);for(let a=0;a<s;++a){let c=t+a*n,l=t+(o-1-a)*n;for(let f=0;f<n;++f){let u=r[c+f];r[c+f]=r[l+f],r[l+f]=u}}}function Ne(r,e){let t=e.length,i=r.length;if(i>0){let n=!0;for(let o=0;o<t;o++)if(r[i-t+o]!==e[o]){n=!1;break}if(n)return!1}for(let n=0;n<t;n++)r[i+n]=e[n];return!0}function Js(r,e){let t=e.length;for(let i=0;i<t;i++)r[i]=e[i]}function Cr(r,e,t,i,n=[]){let o=i+e*t;for(let s=0;s<t;s++)n[s]=r[o+s];return n}function Sf(r,e,t,i,n=[]){let o,s;if(t&8)o=(i[3]-r[1])/(e[1]-r[1]),s=3;else if(t&4)o=(i[1]-r[1])/(e[1]-r[1]),s=1;else if(t&2)o=(i[2]-r[0])/(e[0]-r[0]),s=2;else if(t&1)o=(i[0]-r[0])/(e[0]-r[0]),s=0;else return null;for(let a=0;a<r.length;a++)n[a]=(s&1)===a?i[s]:o*(e[a]-r[a])+r[a];return n}function ea(r,e){let t=0;return r[0]<e[0]?t|=1:r[0]>e[2]&&(t|=2),r[1]<e[1]?t|=4:r[1]>e[3]&&(t|=8),t}function ta(r,e){let{size:t=2,broken:i=!1,gridResolution:n=10,gridOffset:o=[0,0],startIndex:s=0,endIndex:a=r.length}=e||{},c=(a-s)/t,l=[],f=[l],u=Cr(r,0,t,s),d,h,p=ZE(u,n,o,[]),g=[];Ne(l,u);for(let m=1;m<c;m++){for(d=Cr(r,m,t,s,d),h=ea(d,p);h;){Sf(u,d,h,p,g);let y=ea(g,p);y&&(Sf(u,g,y,p,g),h=y),Ne(l,g),Js(u,g),U6(p,n,h),i&&l.length>t&&(l=[],f.push(l),Ne(l,u)),h=ea(d,p)}Ne(l,d),Js(u,d)}return i?f:f[0]}var YE=0,z6=1;function ra(r,e=null,t){if(!r.length)return[];let{size:i=2,gridResolution:n=10,gridOffset:o=[0,0],edgeTypes:s=!1}=t||{},a=[],c=[{pos:r,types:s?new Array(r.length/i).fill(z6):null,holes:e||[]}],l=[[],[]],f=[];for(;c.length;){let{pos:u,types:d,holes:h}=c.shift();G6(u,i,h[0]||u.length,l),f=ZE(l[0],n,o,f);let p=ea(l[1],f);if(p){let g=qE(u,d,i,0,h[0]||u.length,f,p),m={pos:g[0].pos,types:g[0].types,holes:[]},y={pos:g[1].pos,types:g[1].types,holes:[]};c.push(m,y);for(let v=0;v<h.length;v++)g=qE(u,d,i,h[v],h[v+1]||u.length,f,p),g[0]&&(m.holes.push(m.pos.length),m.pos=Tf(m.pos,g[0].pos),s&&(m.types=Tf(m.types,g[0].types))),g[1]&&(y.holes.push(y.pos.length),y.pos=Tf(y.pos,g[1].pos),s&&(y.types=Tf(y.types,g[1].types)))}else{let g={positions:u};s&&(g.edgeTypes=d),h.length&&(g.holeIndices=h),a.push(g)}}return a}function qE(r,e,t,i,n,o,s){let a=(n-i)/t,c=[],l=[],f=[],u=[],d=[],h,p,g,m=Cr(r,a-1,t,i),y=Math.sign(s&8?m[1]-o[3]:m[0]-o[2]),v=e&&e[a-1],_=0,b=0;for(let w=0;w<a;w++)h=Cr(r,w,t,i,h),p=Math.sign(s&8?h[1]-o[3]:h[0]-o[2]),g=e&&e[i/t+w],p&&y&&y!==p&&(Sf(m,h,s,o,d),Ne(c,d)&&f.push(v),Ne(l,d)&&u.push(v)),p<=0?(Ne(c,h)&&f.push(g),_-=p):f.length&&(f[f.length-1]=YE),p>=0?(Ne(l,h)&&u.push(g),b+=p):u.length&&(u[u.length-1]=YE),Js(m,h),y=p,v=g;return[_?{pos:c,types:e&&f}:null,b?{pos:l,types:e&&u}:null]}function ZE(r,e,t,i){let n=Math.floor((r[0]-t[0])/e)*e+t[0],o=Math.floor((r[1]-t[1])/e)*e+t[1];return i[0]=n,i[1]=o,i[2]=n+e,i[3]=o+e,i}function U6(r,e,t){t&8?(r[1]+=e,r[3]+=e):t&4?(r[1]-=e,r[3]-=e):t&2?(r[0]+=e,r[2]+=e):t&1&&(r[0]-=e,r[2]-=e)}function G6(r,e,t,i){let n=1/0,o=-1/0,s=1/0,a=-1/0;for(let c=0;c<t;c+=e){let l=r[c],f=r[c+1];n=l<n?l:n,o=l>o?l:o,s=f<s?f:s,a=f>a?f:a}return i[0][0]=n,i[0][1]=s,i[1][0]=o,i[1][1]=a,i}function Tf(r,e){for(let t=0;t<e.length;t++)r.push(e[t]);return r}var V6=85.051129;function kg(r,e){let{size:t=2,startIndex:i=0,endIndex:n=r.length,normalize:o=!0}=e||{},s=r.slice(i,n);XE(s,t,0,n-i);let a=ta(s,{size:t,broken:!0,gridResolution:360,gridOffset:[-180,-180]});if(o)for(let c of a)KE(c,t);return a}function Ng(r,e=null,t){let{size:i=2,normalize:n=!0,edgeTypes:o=!1}=t||{};e=e||[];let s=[],a=[],c=0,l=0;for(let u=0;u<=e.length;u++){let d=e[u]||r.length,h=l,p=$6(r,i,c,d);for(let g=p;g<d;g++)s[l++]=r[g];for(let g=c;g<p;g++)s[l++]=r[g];XE(s,i,h,l),W6(s,i,h,l,t?.maxLatitude),c=d,a[u]=l}a.pop();let f=ra(s,a,{size:i,gridResolution:360,gridOffset:[-180,-180],edgeTypes:o});if(n)for(let u of f)KE(u.positions,i);return f}function $6(r,e,t,i){let n=-1,o=-1;for(let s=t+1;s<i;s+=e){let a=Math.abs(r[s]);a>n&&(n=a,o=s-1)}return o}function W6(r,e,t,i,n=V6){let o=r[t],s=r[i-e];if(Math.abs(o-s)>180){let a=Cr(r,0,e,t);a[0]+=Math.round((s-o)/360)*360,Ne(r,a),a[1]=Math.sign(a[1])*n,Ne(r,a),a[0]=o,Ne(r,a)}}function XE(r,e,t,i){let n=r[0],o;for(let s=t;s<i;s+=e){o=r[s];let a=o-n;(a>180||a<-180)&&(o-=Math.round(a/360)*360),r[s]=n=o}}function KE(r,e){let t,i=r.length/e;for(let o=0;o<i&&(t=r[o*e],(t+180)%360===0);o++);let n=-Math.round(t/360)*360;if(n!==0)for(let o=0;o<i;o++)r[o*e]+=n}q();q();function QE(r,e,t,i){let n;if(Array.isArray(r[0])){let o=r.length*e;n=new Array(o);for(let s=0;s<r.length;s++)for(let a=0;a<e;a++)n[s*e+a]=r[s][a]||0}else n=r;return t?ta(n,{size:e,gridResolution:t}):i?kg(n,{size:e}):n}var H6=1,Y6=2,ia=4,na=class extends Lr{constructor(e){super({...e,attributes:{positions:{size:3,padding:18,initialize:!0,type:e.fp64?Float64Array:Float32Array},segmentTypes:{size:1,type:e.isWebGPU?Float32Array:Uint8ClampedArray}}})}get(e){return this.attributes[e]}getPathSegmentIndices(e){let t=this.attributes.segmentTypes,i=this.vertexStarts[e],n=Math.min(this.vertexStarts[e+1]??this.instanceCount,this.instanceCount),o=[];for(let s=i;s<n-1;s++)(t[s]&ia)===0&&o.push(s);return o.length&&(t[i]&ia)!==0&&o.unshift(o.pop()),o}getGeometryFromBuffer(e){return this.normalize||this.opts.isWebGPU?super.getGeometryFromBuffer(e):null}normalizeGeometry(e){return this.normalize?QE(e,this.positionSize,this.opts.resolution,this.opts.wrapLongitude):e}getGeometrySize(e){if(JE(e)){let i=0;for(let n of e)i+=this.getGeometrySize(n);return i}let t=this.getPathLength(e);return t<2?0:this.isClosed(e)?t<3?0:t+2:t}updateGeometryAttributes(e,t){if(t.geometrySize!==0)if(e&&JE(e))for(let i of e){let n=this.getGeometrySize(i);t.geometrySize=n,this.updateGeometryAttributes(i,t),t.vertexStart+=n}else this._updateSegmentTypes(e,t),this._updatePositions(e,t)}_updateSegmentTypes(e,t){let i=this.attributes.segmentTypes,n=e?this.isClosed(e):!1,{vertexStart:o,geometrySize:s}=t;i.fill(0,o,o+s),n?(i[o]=ia,i[o+s-2]=ia):(i[o]+=H6,i[o+s-2]+=Y6),i[o+s-1]=ia}_updatePositions(e,t){let{positions:i}=this.attributes;if(!i||!e)return;let{vertexStart:n,geometrySize:o}=t,s=new Array(3);for(let a=n,c=0;c<o;a++,c++)this.getPointOnPath(e,c,s),i[a*3]=s[0],i[a*3+1]=s[1],i[a*3+2]=s[2]}getPathLength(e){return e.length/this.positionSize}getPointOnPath(e,t,i=[]){let{positionSize:n}=this;t*n>=e.length&&(t+=1-e.length/n);let o=t*n;return i[0]=e[o],i[1]=e[o+1],i[2]=n===3&&e[o+2]||0,i}isClosed(e){if(!this.normalize)return!!this.opts.loop;let{positionSize:t}=this,i=e.length-t;return e[0]===e[i]&&e[1]===e[i+1]&&(t===2||e[2]===e[i+2])}};function JE(r){return Array.isArray(r[0])}var q6=`struct PathUniforms {
  widthScale: f32,
  widthMinPixels: f32,
  widthMaxPixels: f32,
  jointType: f32,
  capType: f32,
  miterLimit: f32,
  billboard: f32,
  widthUnits: i32,
};

@group(0) @binding(auto)
var<uniform> path: PathUniforms;
`,eS=`layout(std140) uniform pathUniforms {
  float widthScale;
  float widthMinPixels;
  float widthMaxPixels;
  float jointType;
  float capType;
  float miterLimit;
  bool billboard;
  highp int widthUnits;
} path;
`,tS={name:"path",source:q6,vs:eS,fs:eS,uniformTypes:{widthScale:"f32",widthMinPixels:"f32",widthMaxPixels:"f32",jointType:"f32",capType:"f32",miterLimit:"f32",billboard:"f32",widthUnits:"i32"}};var rS=`const EPSILON: f32 = 0.001;
const ZERO_OFFSET: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);

struct JoinResult {
  offset: vec3<f32>,
  cornerOffset: vec2<f32>,
  miterLength: f32,
  pathPosition: vec2<f32>,
  pathLength: f32,
  jointType: f32,
};

struct Attributes {
  @location(0) positions: vec2<f32>,
  @location(1) instanceTypes: f32,
  @location(2) instanceLeftPositions: vec3<f32>,
  @location(3) instanceStartPositions: vec3<f32>,
  @location(4) instanceEndPositions: vec3<f32>,
  @location(5) instanceRightPositions: vec3<f32>,
  @location(6) instanceLeftPositions64Low: vec3<f32>,
  @location(7) instanceStartPositions64Low: vec3<f32>,
  @location(8) instanceEndPositions64Low: vec3<f32>,
  @location(9) instanceRightPositions64Low: vec3<f32>,
  @location(10) instanceStrokeWidths: f32,
  @location(11) instanceColors: vec4<f32>,
  @location(12) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) vCornerOffset: vec2<f32>,
  @location(2) vMiterLength: f32,
  @location(3) vPathPosition: vec2<f32>,
  @location(4) vPathLength: f32,
  @location(5) vJointType: f32,
  // Location 6 is reserved for TripsLayer's injected vTime varying.
  @location(7) clipCoordinates: vec2<f32>,
#ifdef DASH_ENABLED
  @location(8) vPathBounds: vec2<f32>,
#endif
};

fn flipIfTrue(flag: bool) -> f32 {
  return select(1.0, -1.0, flag);
}

fn clipLine(position: vec4<f32>, refPosition: vec4<f32>) -> vec4<f32> {
  if (position.w < EPSILON) {
    let r = (EPSILON - refPosition.w) / (position.w - refPosition.w);
    return refPosition + (position - refPosition) * r;
  }
  return position;
}

#ifdef DASH_ENABLED
// Return the visible interval of the original segment before clipLine moves either endpoint.
fn getClippedPathRange(startW: f32, endW: f32) -> vec2<f32> {
  let startClipped = startW < EPSILON;
  let endClipped = endW < EPSILON;
  if (startClipped && endClipped) {
    return vec2<f32>(0.0, 0.0);
  }
  if (startClipped || endClipped) {
    let intersection = clamp((EPSILON - startW) / (endW - startW), 0.0, 1.0);
    if (startClipped) {
      return vec2<f32>(intersection, 1.0);
    }
    return vec2<f32>(0.0, intersection);
  }
  return vec2<f32>(0.0, 1.0);
}
#endif

fn getLineJoinOffset(
  prevPoint: vec3<f32>,
  currPoint: vec3<f32>,
  nextPoint: vec3<f32>,
  width: vec2<f32>,
#ifdef DASH_ENABLED
  sourcePathLength: f32,
  sourcePathRange: vec2<f32>,
#endif
#ifdef ANTIALIASING
  coverageScale: f32,
#endif
  positions: vec2<f32>,
  instanceTypes: f32
) -> JoinResult {
  let isEnd = positions.x > 0.0;
  let sideOfPath = positions.y;
  let isJoint = select(0.0, 1.0, sideOfPath == 0.0);

  var deltaA3 = currPoint - prevPoint;
  var deltaB3 = nextPoint - currPoint;

  let rotationResult = project_needs_rotation(currPoint);
  if (path.billboard == 0.0 && rotationResult.needsRotation) {
    deltaA3 = rotationResult.transform * deltaA3;
    deltaB3 = rotationResult.transform * deltaB3;
  }

  let deltaA = deltaA3.xy / width;
  let deltaB = deltaB3.xy / width;

  let lenA = length(deltaA);
  let lenB = length(deltaB);

  let dirA = select(vec2<f32>(0.0, 0.0), normalize(deltaA), lenA > 0.0);
  let dirB = select(vec2<f32>(0.0, 0.0), normalize(deltaB), lenB > 0.0);

  let perpA = vec2<f32>(-dirA.y, dirA.x);
  let perpB = vec2<f32>(-dirB.y, dirB.x);

  var tangent = dirA + dirB;
  tangent = select(perpA, normalize(tangent), length(tangent) > 0.0);
  let miterVec = vec2<f32>(-tangent.y, tangent.x);
  let dir = select(dirB, dirA, isEnd);
  let perp = select(perpB, perpA, isEnd);
#ifdef DASH_ENABLED
  let segmentLength2D = select(lenB, lenA, isEnd);

  // Extrusion happens in the XY plane, so segmentLength2D is a 2D length and pathPosition.y
  // below measures 2D distance along the segment. For a path that also moves in Z the true
  // arc length is longer by this ratio. Scaling pathLength and pathPosition.y by it makes
  // the coordinate measure real 3D distance while leaving the joint tests unchanged, since
  // they compare the two against each other and both are scaled alike. Billboard mode
  // extrudes in clip space, where the perspective divide has already reduced the segment to
  // its screen projection, so its complete common-space length is supplied by the caller.
  // Mirrors path-layer-vertex.glsl.ts.
  let currDelta3 = select(deltaB3, deltaA3, isEnd);
  let currLength2D = length(currDelta3.xy);
  // Do not clamp a valid denominator to EPSILON: high-zoom Web Mercator deltas are often
  // smaller than that in common space, and changing their scale corrupts even flat paths.
  let safeLength2D = select(1.0, currLength2D, currLength2D > 0.0);
  var arcLengthRatio = 1.0;
  var pathPositionOffset = 0.0;
  var pathLength = segmentLength2D;
  if (path.billboard != 0.0) {
    // clipLine may shorten the visible screen-space segment. Preserve the corresponding interval
    // of the complete common-space arclength instead of compressing the full dash period into the
    // visible span. Keep pathLength complete so justification is stable as the camera clips it.
    let visiblePathLength = sourcePathLength * (sourcePathRange.y - sourcePathRange.x);
    arcLengthRatio = 0.0;
    if (segmentLength2D > 0.0) {
      arcLengthRatio = visiblePathLength / segmentLength2D;
    }
    pathPositionOffset = sourcePathLength * sourcePathRange.x;
    pathLength = sourcePathLength;
  } else if (currLength2D > 0.0) {
    arcLengthRatio = length(currDelta3) / safeLength2D;
    pathLength = segmentLength2D * arcLengthRatio;
  }
#else
  let pathLength = select(lenB, lenA, isEnd);
#endif

  let sinHalfA = abs(dot(miterVec, perp));
  let cosHalfA = abs(dot(dirA, miterVec));
  let turnDirection = flipIfTrue(dirA.x * dirB.y >= dirA.y * dirB.x);
  let cornerPosition = sideOfPath * turnDirection;

  var miterSize = 1.0 / max(sinHalfA, EPSILON);
  miterSize = mix(
    min(miterSize, max(lenA, lenB) / max(cosHalfA, EPSILON)),
    miterSize,
    step(0.0, cornerPosition)
  );

  var offsetVec =
    mix(miterVec * miterSize, perp, step(0.5, cornerPosition)) *
    (sideOfPath + isJoint * turnDirection);

  let isStartCap = lenA == 0.0 || (!isEnd && (instanceTypes == 1.0 || instanceTypes == 3.0));
  let isEndCap = lenB == 0.0 || (isEnd && (instanceTypes == 2.0 || instanceTypes == 3.0));
  let isCap = isStartCap || isEndCap;

  var jointType = path.jointType;
  if (isCap) {
    offsetVec = mix(
      perp * sideOfPath,
      dir * path.capType * 4.0 * flipIfTrue(isStartCap),
      isJoint
    );
    jointType = path.capType;
  }

#ifdef ANTIALIASING
  let coverageOffsetVec = offsetVec * coverageScale;
  var miterLength = dot(coverageOffsetVec, miterVec * turnDirection);
#else
  var miterLength = dot(offsetVec, miterVec * turnDirection);
#endif
  miterLength = select(miterLength, isJoint, isCap);

#ifdef ANTIALIASING
  let offsetFromStartOfPath = coverageOffsetVec + deltaA * select(0.0, 1.0, isEnd);
#else
  let offsetFromStartOfPath = offsetVec + deltaA * select(0.0, 1.0, isEnd);
#endif
  let pathPosition = vec2<f32>(
    dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
    pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
    dot(offsetFromStartOfPath, dir)
#endif
  );
  let isValid = step(f32(instanceTypes), 3.5);
#ifdef ANTIALIASING
  var offset = vec3<f32>(coverageOffsetVec * width * isValid, 0.0);
#else
  var offset = vec3<f32>(offsetVec * width * isValid, 0.0);
#endif

  if (path.billboard == 0.0 && rotationResult.needsRotation) {
    offset = rotationResult.transform * offset;
  }

#ifdef ANTIALIASING
  return JoinResult(
    offset, coverageOffsetVec, miterLength, pathPosition, pathLength, jointType
  );
#else
  return JoinResult(offset, offsetVec, miterLength, pathPosition, pathLength, jointType);
#endif
}

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var varyings: Varyings;

  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let isEnd = attributes.positions.x;

  let prevPosition = mix(attributes.instanceLeftPositions, attributes.instanceStartPositions, isEnd);
  let prevPosition64Low = mix(
    attributes.instanceLeftPositions64Low,
    attributes.instanceStartPositions64Low,
    isEnd
  );
  let currPosition = mix(attributes.instanceStartPositions, attributes.instanceEndPositions, isEnd);
  let currPosition64Low = mix(
    attributes.instanceStartPositions64Low,
    attributes.instanceEndPositions64Low,
    isEnd
  );
  let nextPosition = mix(attributes.instanceEndPositions, attributes.instanceRightPositions, isEnd);
  let nextPosition64Low = mix(
    attributes.instanceEndPositions64Low,
    attributes.instanceRightPositions64Low,
    isEnd
  );

  geometry.worldPosition = currPosition;

  let widthPixels =
    clamp(
      project_unit_size_to_pixel(attributes.instanceStrokeWidths * path.widthScale, path.widthUnits),
      path.widthMinPixels,
      path.widthMaxPixels
    ) / 2.0;

  if (path.billboard != 0.0) {
#ifdef DASH_ENABLED
    let prevProjection = project_position_to_clipspace_and_commonspace(
      prevPosition, prevPosition64Low, ZERO_OFFSET
    );
    let nextProjection = project_position_to_clipspace_and_commonspace(
      nextPosition, nextPosition64Low, ZERO_OFFSET
    );
    let prevPositionCommon = prevProjection.commonPosition.xyz;
    let nextPositionCommon = nextProjection.commonPosition.xyz;
    var prevPositionScreen = prevProjection.clipPosition;
    var nextPositionScreen = nextProjection.clipPosition;
#else
    var prevPositionScreen = project_position_to_clipspace(
      prevPosition, prevPosition64Low, ZERO_OFFSET
    );
    var nextPositionScreen = project_position_to_clipspace(
      nextPosition, nextPosition64Low, ZERO_OFFSET
    );
#endif
    let currProjection = project_position_to_clipspace_and_commonspace(
      currPosition, currPosition64Low, ZERO_OFFSET
    );
    geometry.position = currProjection.commonPosition;
    var currPositionScreen = currProjection.clipPosition;
#ifdef DASH_ENABLED
    let currPositionCommon = currProjection.commonPosition.xyz;
    let sourcePathStartScreen = mix(currPositionScreen, prevPositionScreen, isEnd);
    let sourcePathEndScreen = mix(nextPositionScreen, currPositionScreen, isEnd);
    let billboardPathRange = getClippedPathRange(
      sourcePathStartScreen.w, sourcePathEndScreen.w
    );
#endif

    prevPositionScreen = clipLine(prevPositionScreen, currPositionScreen);
    nextPositionScreen = clipLine(nextPositionScreen, currPositionScreen);
    currPositionScreen = clipLine(currPositionScreen, mix(nextPositionScreen, prevPositionScreen, isEnd));

#ifdef ANTIALIASING
    let coverageScale = select(
      1.0,
      (widthPixels + 0.5 / project.devicePixelRatio) / max(widthPixels, 1e-6),
      widthPixels > 0.0
    );
#endif
#ifdef DASH_ENABLED
    let currentDeltaCommon = select(
      nextPositionCommon - currPositionCommon,
      currPositionCommon - prevPositionCommon,
      isEnd > 0.0
    );
    let billboardPathLength = select(
      0.0,
      length(currentDeltaCommon) * project.scale / (widthPixels * project.focalDistance),
      widthPixels > 0.0
    );
#endif
    let join = getLineJoinOffset(
      prevPositionScreen.xyz / prevPositionScreen.w,
      currPositionScreen.xyz / currPositionScreen.w,
      nextPositionScreen.xyz / nextPositionScreen.w,
      project_pixel_size_to_clipspace(vec2<f32>(widthPixels, widthPixels)),
#ifdef DASH_ENABLED
      billboardPathLength,
      billboardPathRange,
#endif
#ifdef ANTIALIASING
      coverageScale,
#endif
      attributes.positions,
      attributes.instanceTypes
    );
#ifdef DASH_ENABLED
    // Phase and justification use the complete source segment, while cap and joint coverage
    // must still recognize the endpoints moved by clipLine.
    varyings.vPathBounds = billboardPathLength * billboardPathRange;
#endif

    geometry.uv = join.pathPosition;
    varyings.position = vec4<f32>(
      currPositionScreen.xyz + join.offset * currPositionScreen.w,
      currPositionScreen.w
    );
    varyings.vCornerOffset = join.cornerOffset;
    varyings.vMiterLength = join.miterLength;
    varyings.vPathPosition = join.pathPosition;
    varyings.vPathLength = join.pathLength;
    varyings.vJointType = join.jointType;
  } else {
    let prevPositionCommon = project_position_vec3_f64(prevPosition, prevPosition64Low);
    let currPositionCommon = project_position_vec3_f64(currPosition, currPosition64Low);
    let nextPositionCommon = project_position_vec3_f64(nextPosition, nextPosition64Low);

    let width = vec2<f32>(
      project_pixel_size_float(widthPixels),
      project_pixel_size_float(widthPixels)
    );
#ifdef ANTIALIASING
    let coverageScale = select(
      1.0,
      (widthPixels + 0.5 / project.devicePixelRatio) / max(widthPixels, 1e-6),
      widthPixels > 0.0
    );
#endif
    let join = getLineJoinOffset(
      prevPositionCommon,
      currPositionCommon,
      nextPositionCommon,
      width,
#ifdef DASH_ENABLED
      1.0,
      vec2<f32>(0.0, 1.0),
#endif
#ifdef ANTIALIASING
      coverageScale,
#endif
      attributes.positions,
      attributes.instanceTypes
    );
#ifdef DASH_ENABLED
    varyings.vPathBounds = vec2<f32>(0.0, join.pathLength);
#endif

    geometry.position = vec4<f32>(currPositionCommon + join.offset, 1.0);
    geometry.uv = join.pathPosition;
    varyings.position = project_common_position_to_clipspace(geometry.position);
    varyings.vCornerOffset = join.cornerOffset;
    varyings.vMiterLength = join.miterLength;
    varyings.vPathPosition = join.pathPosition;
    varyings.vPathLength = join.pathLength;
    varyings.vJointType = join.jointType;
  }

  varyings.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&varyings.position, geometry.worldPosition.xy);

  varyings.vColor = vec4<f32>(
    attributes.instanceColors.rgb,
    attributes.instanceColors.a * layer.opacity
  );
  return varyings;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = varyings.vPathPosition;

#ifdef ANTIALIASING
  // Coordinates of the outer silhouette, in units of half-width: rounded joints and caps are
  // bounded by the corner offset, everywhere else by the edge of the stroke. Dividing by the
  // screen-space derivative converts the distance to the boundary into device pixels, which stays
  // correct under perspective foreshortening and under extensions that rescale the stroke.
#ifdef DASH_ENABLED
  let isCorner =
    varyings.vPathPosition.y < varyings.vPathBounds.x ||
    varyings.vPathPosition.y > varyings.vPathBounds.y;
#else
  let isCorner = varyings.vPathPosition.y < 0.0 || varyings.vPathPosition.y > varyings.vPathLength;
#endif
  let isRound = varyings.vJointType > 0.5;

  // Distance to the silhouette in device pixels, from the derivative of the coordinate that
  // bounds it. Computed before the discards below: derivatives need uniform control flow and are
  // undefined after a discard in the quad. See dev-docs/RFCs/v9.4/analytic-antialiasing-rfc.md
  let bodyCoord = abs(varyings.vPathPosition.x);
  let cornerCoord = length(varyings.vCornerOffset);
  // Both evaluated so each derivative stays on one field across the corner/body boundary
  let bodyPixels = (1.0 - bodyCoord) / max(fwidth(bodyCoord), 1e-6);
  let cornerPixels = (1.0 - cornerCoord) / max(fwidth(cornerCoord), 1e-6);
#ifdef PATH_STYLE_OFFSET
  // Rounded corners still intersect the stroke-width envelope. Extensions may remap
  // vPathPosition.x independently of vCornerOffset, as PathStyleExtension does for offsets.
  let edgePixels = select(bodyPixels, min(cornerPixels, bodyPixels), isRound && isCorner);
#else
  let edgePixels = select(bodyPixels, cornerPixels, isRound && isCorner);
#endif

  // Fragments outside the coverage ramp must not write depth or picking colors.
  if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
    discard;
  }

  if (isCorner) {
    if (!isRound && varyings.vMiterLength > path.miterLimit + 1.0) {
      discard;
    }
  }

  var color = varyings.vColor;

  // Feather one device pixel across the width only, before premultiplication. edgePixels is a
  // signed device-pixel distance and SMOOTH_EDGE_RADIUS is 0.5, so this ramps across one pixel.
  color.a *= smoothedge(0.0, edgePixels);
#else
#ifdef DASH_ENABLED
  if (
    varyings.vPathPosition.y < varyings.vPathBounds.x ||
    varyings.vPathPosition.y > varyings.vPathBounds.y
  ) {
#else
  if (
    varyings.vPathPosition.y < 0.0 ||
    varyings.vPathPosition.y > varyings.vPathLength
  ) {
#endif
    if (varyings.vJointType > 0.5 && length(varyings.vCornerOffset) > 1.0) {
      discard;
    }
    if (
      varyings.vJointType < 0.5 &&
      varyings.vMiterLength > path.miterLimit + 1.0
    ) {
      discard;
    }
  }
#endif

  // Fragment-layer injections that discard pixels must run after analytic coverage derivatives.
  // See TripsLayer, which rejects fragments outside of the active time window at this anchor.
  // DECKGL_FILTER_COLOR
  clip_filterColor(varyings.clipCoordinates);
#ifdef ANTIALIASING
  return deckgl_premultiplied_alpha(color);
#else
  return deckgl_premultiplied_alpha(varyings.vColor);
#endif
}
`;var iS=`#version 300 es
#define SHADER_NAME path-layer-vertex-shader
in vec2 positions;
in float instanceTypes;
in vec3 instanceStartPositions;
in vec3 instanceEndPositions;
in vec3 instanceLeftPositions;
in vec3 instanceRightPositions;
in vec3 instanceLeftPositions64Low;
in vec3 instanceStartPositions64Low;
in vec3 instanceEndPositions64Low;
in vec3 instanceRightPositions64Low;
in float instanceStrokeWidths;
in vec4 instanceColors;
in float rowIndexes;
uniform float opacity;
out vec4 vColor;
out vec2 vCornerOffset;
out float vMiterLength;
out vec2 vPathPosition;
out float vPathLength;
out float vJointType;
#ifdef DASH_ENABLED
out vec2 vPathBounds;
#endif
const float EPSILON = 0.001;
const vec3 ZERO_OFFSET = vec3(0.0);
float flipIfTrue(bool flag) {
return -(float(flag) * 2. - 1.);
}
vec3 getLineJoinOffset(
vec3 prevPoint, vec3 currPoint, vec3 nextPoint,
vec2 width
#ifdef DASH_ENABLED
, float sourcePathLength, vec2 sourcePathRange
#endif
#ifdef ANTIALIASING
, float coverageScale
#endif
) {
bool isEnd = positions.x > 0.0;
float sideOfPath = positions.y;
float isJoint = float(sideOfPath == 0.0);
vec3 deltaA3 = (currPoint - prevPoint);
vec3 deltaB3 = (nextPoint - currPoint);
mat3 rotationMatrix;
bool needsRotation = !path.billboard && project_needs_rotation(currPoint, rotationMatrix);
if (needsRotation) {
deltaA3 = deltaA3 * rotationMatrix;
deltaB3 = deltaB3 * rotationMatrix;
}
vec2 deltaA = deltaA3.xy / width;
vec2 deltaB = deltaB3.xy / width;
float lenA = length(deltaA);
float lenB = length(deltaB);
vec2 dirA = lenA > 0. ? normalize(deltaA) : vec2(0.0, 0.0);
vec2 dirB = lenB > 0. ? normalize(deltaB) : vec2(0.0, 0.0);
vec2 perpA = vec2(-dirA.y, dirA.x);
vec2 perpB = vec2(-dirB.y, dirB.x);
vec2 tangent = dirA + dirB;
tangent = length(tangent) > 0. ? normalize(tangent) : perpA;
vec2 miterVec = vec2(-tangent.y, tangent.x);
vec2 dir = isEnd ? dirA : dirB;
vec2 perp = isEnd ? perpA : perpB;
float L = isEnd ? lenA : lenB;
#ifdef DASH_ENABLED
vec3 currDelta3 = isEnd ? deltaA3 : deltaB3;
float currLength2D = length(currDelta3.xy);
float arcLengthRatio = 1.0;
float pathPositionOffset = 0.0;
float pathLength = L;
if (path.billboard) {
float visiblePathLength = sourcePathLength * (sourcePathRange.y - sourcePathRange.x);
arcLengthRatio = L > 0.0 ? visiblePathLength / L : 0.0;
pathPositionOffset = sourcePathLength * sourcePathRange.x;
pathLength = sourcePathLength;
} else if (currLength2D > 0.0) {
arcLengthRatio = length(currDelta3) / currLength2D;
pathLength = L * arcLengthRatio;
}
#endif
float sinHalfA = abs(dot(miterVec, perp));
float cosHalfA = abs(dot(dirA, miterVec));
float turnDirection = flipIfTrue(dirA.x * dirB.y >= dirA.y * dirB.x);
float cornerPosition = sideOfPath * turnDirection;
float miterSize = 1.0 / max(sinHalfA, EPSILON);
miterSize = mix(
min(miterSize, max(lenA, lenB) / max(cosHalfA, EPSILON)),
miterSize,
step(0.0, cornerPosition)
);
vec2 offsetVec = mix(miterVec * miterSize, perp, step(0.5, cornerPosition))
* (sideOfPath + isJoint * turnDirection);
bool isStartCap = lenA == 0.0 || (!isEnd && (instanceTypes == 1.0 || instanceTypes == 3.0));
bool isEndCap = lenB == 0.0 || (isEnd && (instanceTypes == 2.0 || instanceTypes == 3.0));
bool isCap = isStartCap || isEndCap;
if (isCap) {
offsetVec = mix(perp * sideOfPath, dir * path.capType * 4.0 * flipIfTrue(isStartCap), isJoint);
vJointType = path.capType;
} else {
vJointType = path.jointType;
}
#ifdef ANTIALIASING
vec2 coverageOffsetVec = offsetVec * coverageScale;
#ifdef DASH_ENABLED
vPathLength = pathLength;
#else
vPathLength = L;
#endif
vCornerOffset = coverageOffsetVec;
vMiterLength = dot(vCornerOffset, miterVec * turnDirection);
vMiterLength = isCap ? isJoint : vMiterLength;
vec2 offsetFromStartOfPath = coverageOffsetVec + deltaA * float(isEnd);
vPathPosition = vec2(
dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
dot(offsetFromStartOfPath, dir)
#endif
);
geometry.uv = vPathPosition;
float isValid = step(instanceTypes, 3.5);
vec3 offset = vec3(coverageOffsetVec * width * isValid, 0.0);
#else
#ifdef DASH_ENABLED
vPathLength = pathLength;
#else
vPathLength = L;
#endif
vCornerOffset = offsetVec;
vMiterLength = dot(vCornerOffset, miterVec * turnDirection);
vMiterLength = isCap ? isJoint : vMiterLength;
vec2 offsetFromStartOfPath = vCornerOffset + deltaA * float(isEnd);
vPathPosition = vec2(
dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
dot(offsetFromStartOfPath, dir)
#endif
);
geometry.uv = vPathPosition;
float isValid = step(instanceTypes, 3.5);
vec3 offset = vec3(offsetVec * width * isValid, 0.0);
#endif
if (needsRotation) {
offset = rotationMatrix * offset;
}
return offset;
}
void clipLine(inout vec4 position, vec4 refPosition) {
if (position.w < EPSILON) {
float r = (EPSILON - refPosition.w) / (position.w - refPosition.w);
position = refPosition + (position - refPosition) * r;
}
}
#ifdef DASH_ENABLED
vec2 getClippedPathRange(float startW, float endW) {
bool startClipped = startW < EPSILON;
bool endClipped = endW < EPSILON;
if (startClipped && endClipped) {
return vec2(0.0);
}
if (startClipped || endClipped) {
float intersection = clamp((EPSILON - startW) / (endW - startW), 0.0, 1.0);
return startClipped ? vec2(intersection, 1.0) : vec2(0.0, intersection);
}
return vec2(0.0, 1.0);
}
#endif
void main() {
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
vColor = vec4(instanceColors.rgb, instanceColors.a * layer.opacity);
float isEnd = positions.x;
vec3 prevPosition = mix(instanceLeftPositions, instanceStartPositions, isEnd);
vec3 prevPosition64Low = mix(instanceLeftPositions64Low, instanceStartPositions64Low, isEnd);
vec3 currPosition = mix(instanceStartPositions, instanceEndPositions, isEnd);
vec3 currPosition64Low = mix(instanceStartPositions64Low, instanceEndPositions64Low, isEnd);
vec3 nextPosition = mix(instanceEndPositions, instanceRightPositions, isEnd);
vec3 nextPosition64Low = mix(instanceEndPositions64Low, instanceRightPositions64Low, isEnd);
geometry.worldPosition = currPosition;
vec2 widthPixels = vec2(clamp(
project_size_to_pixel(instanceStrokeWidths * path.widthScale, path.widthUnits),
path.widthMinPixels, path.widthMaxPixels) / 2.0);
vec3 width;
if (path.billboard) {
#ifdef DASH_ENABLED
vec4 prevPositionCommon;
vec4 nextPositionCommon;
vec4 prevPositionScreen = project_position_to_clipspace(
prevPosition, prevPosition64Low, ZERO_OFFSET, prevPositionCommon
);
#else
vec4 prevPositionScreen = project_position_to_clipspace(
prevPosition, prevPosition64Low, ZERO_OFFSET
);
#endif
vec4 currPositionScreen = project_position_to_clipspace(currPosition, currPosition64Low, ZERO_OFFSET, geometry.position);
#ifdef DASH_ENABLED
vec4 nextPositionScreen = project_position_to_clipspace(
nextPosition, nextPosition64Low, ZERO_OFFSET, nextPositionCommon
);
#else
vec4 nextPositionScreen = project_position_to_clipspace(
nextPosition, nextPosition64Low, ZERO_OFFSET
);
#endif
#ifdef DASH_ENABLED
vec4 sourcePathStartScreen = mix(currPositionScreen, prevPositionScreen, isEnd);
vec4 sourcePathEndScreen = mix(nextPositionScreen, currPositionScreen, isEnd);
vec2 billboardPathRange = getClippedPathRange(
sourcePathStartScreen.w, sourcePathEndScreen.w
);
#endif
clipLine(prevPositionScreen, currPositionScreen);
clipLine(nextPositionScreen, currPositionScreen);
clipLine(currPositionScreen, mix(nextPositionScreen, prevPositionScreen, isEnd));
width = vec3(widthPixels, 0.0);
DECKGL_FILTER_SIZE(width, geometry);
#ifdef ANTIALIASING
vec2 coveragePadding = vec2(0.5 / project.devicePixelRatio);
float coverageScale = length(width.xy) > 0.0
? length(width.xy + coveragePadding) / length(width.xy)
: 1.0;
#endif
#ifdef DASH_ENABLED
vec3 currentDeltaCommon = isEnd > 0.0
? geometry.position.xyz - prevPositionCommon.xyz
: nextPositionCommon.xyz - geometry.position.xyz;
float billboardPathLength = width.x > 0.0
? length(currentDeltaCommon) * project.scale / (width.x * project.focalDistance)
: 0.0;
#endif
vec3 offset = getLineJoinOffset(
prevPositionScreen.xyz / prevPositionScreen.w,
currPositionScreen.xyz / currPositionScreen.w,
nextPositionScreen.xyz / nextPositionScreen.w,
project_pixel_size_to_clipspace(width.xy)
#ifdef DASH_ENABLED
,
billboardPathLength, billboardPathRange
#endif
#ifdef ANTIALIASING
,
coverageScale
#endif
);
#ifdef DASH_ENABLED
vPathBounds = billboardPathLength * billboardPathRange;
#endif
DECKGL_FILTER_GL_POSITION(currPositionScreen, geometry);
gl_Position = vec4(currPositionScreen.xyz + offset * currPositionScreen.w, currPositionScreen.w);
} else {
prevPosition = project_position(prevPosition, prevPosition64Low);
currPosition = project_position(currPosition, currPosition64Low);
nextPosition = project_position(nextPosition, nextPosition64Low);
width = vec3(project_pixel_size(widthPixels), 0.0);
DECKGL_FILTER_SIZE(width, geometry);
#ifdef ANTIALIASING
vec2 coveragePadding = project_pixel_size(vec2(0.5 / project.devicePixelRatio));
float coverageScale = length(width.xy) > 0.0
? length(width.xy + coveragePadding) / length(width.xy)
: 1.0;
#endif
vec3 offset = getLineJoinOffset(
prevPosition, currPosition, nextPosition, width.xy
#ifdef DASH_ENABLED
, 1.0, vec2(0.0, 1.0)
#endif
#ifdef ANTIALIASING
, coverageScale
#endif
);
#ifdef DASH_ENABLED
vPathBounds = vec2(0.0, vPathLength);
#endif
geometry.position = vec4(currPosition + offset, 1.0);
gl_Position = project_common_position_to_clipspace(geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
DECKGL_FILTER_COLOR(vColor, geometry);
}
`;var nS=`#version 300 es
#define SHADER_NAME path-layer-fragment-shader
precision highp float;
in vec4 vColor;
in vec2 vCornerOffset;
in float vMiterLength;
in vec2 vPathPosition;
in float vPathLength;
in float vJointType;
#ifdef DASH_ENABLED
in vec2 vPathBounds;
#endif
out vec4 fragColor;
void main(void) {
geometry.uv = vPathPosition;
#ifdef ANTIALIASING
#ifdef DASH_ENABLED
bool isCorner = vPathPosition.y < vPathBounds.x || vPathPosition.y > vPathBounds.y;
#else
bool isCorner = vPathPosition.y < 0.0 || vPathPosition.y > vPathLength;
#endif
bool isRound = vJointType > 0.5;
float bodyCoord = abs(vPathPosition.x);
float cornerCoord = length(vCornerOffset);
float bodyPixels = (1.0 - bodyCoord) / max(fwidth(bodyCoord), 1e-6);
float cornerPixels = (1.0 - cornerCoord) / max(fwidth(cornerCoord), 1e-6);
#ifdef PATH_STYLE_OFFSET
float edgePixels = isRound && isCorner ? min(cornerPixels, bodyPixels) : bodyPixels;
#else
float edgePixels = isRound && isCorner ? cornerPixels : bodyPixels;
#endif
if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
discard;
}
if (isCorner) {
if (!isRound && vMiterLength > path.miterLimit + 1.0) {
discard;
}
}
fragColor = vColor;
fragColor.a *= smoothedge(0.0, edgePixels);
#else
#ifdef DASH_ENABLED
if (vPathPosition.y < vPathBounds.x || vPathPosition.y > vPathBounds.y) {
#else
if (vPathPosition.y < 0.0 || vPathPosition.y > vPathLength) {
#endif
if (vJointType > 0.5 && length(vCornerOffset) > 1.0) {
discard;
}
if (vJointType < 0.5 && vMiterLength > path.miterLimit + 1.0) {
discard;
}
}
fragColor = vColor;
#endif
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var sS=[0,0,0,255],Z6={widthUnits:"meters",widthScale:{type:"number",min:0,value:1},widthMinPixels:{type:"number",min:0,value:0},widthMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},jointRounded:!1,capRounded:!1,miterLimit:{type:"number",min:0,value:4},antialiasing:!1,billboard:!1,_pathType:null,getPath:{type:"accessor",value:r=>r.path},getColor:{type:"accessor",value:sS},getWidth:{type:"accessor",value:1},rounded:{deprecatedFor:["jointRounded","capRounded"]}},Fg={enter:(r,e)=>e.length?e.subarray(e.length-r.length):r};function X6(r){if(r.isGeospatial)return null;let{unitsPerMeter:e}=r.distanceScales;return[e[0],e[1],e[2]]}function oS(r,e){return r===e||!!(r&&e&&r.length===e.length&&r.every((t,i)=>t===e[i]))}var oa=class extends ae{getShaders(){let{antialiasing:e}=this.props;return super.getShaders({vs:iS,fs:nS,source:rS,defines:e?{ANTIALIASING:1}:{},modules:[de,fe,he,tS,...this.context.device.type==="webgpu"?[An]:[]]})}get wrapLongitude(){return!1}getBounds(){return this.context.device.type==="webgpu"?null:this.getAttributeManager()?.getBounds(["vertexPositions"])}getPathProjectionScale(e){let t=this.props.coordinateSystem;if(!!!this.getAttributeManager()?.getAttributes().instanceDashOffsets)return null;if(e instanceof xr&&e.zoom>=12&&(t==="default"||t==="lnglat"||t==="cartesian")){let s=qt.getUniforms({viewport:e,coordinateSystem:t,coordinateOrigin:this.props.coordinateOrigin,autoWrapLongitude:this.wrapLongitude});return[e.projectionMode,s.coordinateOrigin[1],s.commonOrigin[1],...s.commonUnitsPerWorldUnit,...s.commonUnitsPerWorldUnit2,s.commonUnitsPerMeter[2]]}let o=X6(e);return o?[e.projectionMode,...o]:[e.projectionMode]}shouldUpdateState(e){let{viewport:t}=this.context;return super.shouldUpdateState(e)||this.state?.tessellationResolution!==t.resolution||!oS(this.state?.pathProjectionScale,this.getPathProjectionScale(t))}initializeState(){let t=this.context.device.type==="webgpu";this.getAttributeManager().addInstanced({...t?{pathPositions:{size:24,type:"float32",transition:!1,accessor:"getPath",update:this.calculateWebGPUPositions,shaderAttributes:{instanceLeftPositions:{size:3,elementOffset:0},instanceStartPositions:{size:3,elementOffset:3},instanceEndPositions:{size:3,elementOffset:6},instanceRightPositions:{size:3,elementOffset:9},instanceLeftPositions64Low:{size:3,elementOffset:12},instanceStartPositions64Low:{size:3,elementOffset:15},instanceEndPositions64Low:{size:3,elementOffset:18},instanceRightPositions64Low:{size:3,elementOffset:21}},noAlloc:!0}}:{vertexPositions:{size:3,vertexOffset:1,type:"float64",fp64:this.use64bitPositions(),transition:Fg,accessor:"getPath",update:this.calculatePositions,noAlloc:!0,shaderAttributes:{instanceLeftPositions:{vertexOffset:0},instanceStartPositions:{vertexOffset:1},instanceEndPositions:{vertexOffset:2},instanceRightPositions:{vertexOffset:3}}}},instanceTypes:{size:1,type:t?"float32":"uint8",update:this.calculateSegmentTypes,noAlloc:!0},instanceStrokeWidths:{size:1,accessor:"getWidth",transition:t?!1:Fg,defaultValue:1,bufferGroup:"path-instance-data"},instanceColors:{size:this.props.colorFormat.length,type:"unorm8",accessor:"getColor",transition:t?!1:Fg,defaultValue:sS,bufferGroup:"path-instance-data"},rowIndexes:{size:1,type:"uint32",accessor:(n,{index:o})=>n&&n.__source?n.__source.index:o,bufferGroup:"path-instance-data"}}),this.setState({pathTesselator:new na({fp64:this.use64bitPositions(),isWebGPU:t}),tessellationResolution:this.context.viewport.resolution,pathProjectionScale:this.getPathProjectionScale(this.context.viewport)})}updateState(e){super.updateState(e);let{props:t,oldProps:i,changeFlags:n}=e,o=this.getAttributeManager(),{viewport:s}=this.context,a=this.state.tessellationResolution!==s.resolution,c=this.getPathProjectionScale(s),l=!oS(this.state.pathProjectionScale,c),u=n.updateTriggersChanged&&(n.updateTriggersChanged.all||n.updateTriggersChanged.getPath)||t._pathType!==i._pathType||t.positionFormat!==i.positionFormat||t.wrapLongitude!==i.wrapLongitude||a;if(n.dataChanged||u){let{pathTesselator:h}=this.state,p=t.data.attributes||{};h.updateGeometry({data:t.data,geometryBuffer:p.getPath,buffers:p,normalize:!t._pathType,loop:t._pathType==="loop",getGeometry:t.getPath,positionFormat:t.positionFormat,wrapLongitude:t.wrapLongitude,resolution:s.resolution,dataChanged:u?void 0:n.dataChanged}),this.setState({numInstances:h.instanceCount,startIndices:h.vertexStarts,tessellationResolution:s.resolution,pathProjectionScale:c}),!n.dataChanged||u?o.invalidateAll():l&&o.invalidate("instanceDashOffsets")}else l&&(this.setState({pathProjectionScale:c}),o.invalidate("instanceDashOffsets"));(n.extensionsChanged||t.antialiasing!==i.antialiasing)&&(this.state.model?.destroy(),this.state.model=this._getModel(),o.invalidateAll())}getPickingInfo(e){let t=super.getPickingInfo(e),{index:i}=t,n=this.props.data;return n[0]&&n[0].__source&&(t.object=n.find(o=>o.__source.index===i)),t}disablePickingIndex(e){let t=this.props.data;if(t[0]&&t[0].__source)for(let i=0;i<t.length;i++)t[i].__source.index===e&&this._disablePickingIndex(i);else super.disablePickingIndex(e)}draw({uniforms:e}){let{jointRounded:t,capRounded:i,billboard:n,miterLimit:o,widthUnits:s,widthScale:a,widthMinPixels:c,widthMaxPixels:l}=this.props,f=this.state.model,u={jointType:Number(t),capType:Number(i),billboard:n,widthUnits:ne[s],widthScale:a,miterLimit:o,widthMinPixels:c,widthMaxPixels:l};f.shaderInputs.setProps({path:u}),f.draw(this.context.renderPass)}_getModel(){let e=[0,1,2,1,4,2,1,3,4,3,5,4],t=[0,0,0,-1,0,1,1,-1,1,1,1,0];return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new pe({topology:"triangle-list",attributes:{indices:new Uint16Array(e),positions:{value:new Float32Array(t),size:2}}}),isInstanced:!0})}calculatePositions(e){let{pathTesselator:t}=this.state;e.startIndices=t.vertexStarts,e.value=t.get("positions")}calculateSegmentTypes(e){let{pathTesselator:t}=this.state;e.startIndices=t.vertexStarts,e.value=t.get("segmentTypes")}calculateWebGPUPositions(e){let{pathTesselator:t}=this.state,i=t.get("positions");if(!i){e.value=null;return}let n=t.instanceCount,o=new Float32Array(n*24),s=[-1,0,1,2];for(let a=0;a<n;a++){let c=a*24;for(let l=0;l<4;l++){let f=a+s[l],u=c+l*3;for(let d=0;d<3;d++){let h=f>=0&&f<n?i[f*3+d]:0,p=Math.fround(h);o[u+d]=p,o[u+d+12]=h-p}}}e.startIndices=t.vertexStarts,e.value=o}};oa.defaultProps=Z6;oa.layerName="PathLayer";var Lf=oa;q();var mS=d3(uS(),1);var Rf=Pf.CLOCKWISE,dS=Pf.COUNTER_CLOCKWISE,Ar={isClosed:!0};function dN(r){if(r=r&&r.positions||r,!Array.isArray(r)&&!ArrayBuffer.isView(r))throw new Error("invalid polygon")}function In(r){return"positions"in r?r.positions:r}function la(r){return"holeIndices"in r?r.holeIndices:null}function hN(r){return Array.isArray(r[0])}function pN(r){return r.length>=1&&r[0].length>=2&&Number.isFinite(r[0][0])}function gN(r){let e=r[0],t=r[r.length-1];return e[0]===t[0]&&e[1]===t[1]&&e[2]===t[2]}function mN(r,e,t,i){for(let n=0;n<e;n++)if(r[t+n]!==r[i-e+n])return!1;return!0}function hS(r,e,t,i,n){let o=e,s=t.length;for(let a=0;a<s;a++)for(let c=0;c<i;c++)r[o++]=t[a][c]||0;if(!gN(t))for(let a=0;a<i;a++)r[o++]=t[0][a]||0;return Ar.start=e,Ar.end=o,Ar.size=i,Qs(r,n,Ar),o}function pS(r,e,t,i,n=0,o,s){o=o||t.length;let a=o-n;if(a<=0)return e;let c=e;for(let l=0;l<a;l++)r[c++]=t[n+l];if(!mN(t,i,n,o))for(let l=0;l<i;l++)r[c++]=t[n+l];return Ar.start=e,Ar.end=c,Ar.size=i,Qs(r,s,Ar),c}function Of(r,e){dN(r);let t=[],i=[];if("positions"in r){let{positions:n,holeIndices:o}=r;if(o){let s=0;for(let a=0;a<=o.length;a++)s=pS(t,s,n,e,o[a-1],o[a],a===0?Rf:dS),i.push(s);return i.pop(),{positions:t,holeIndices:i}}r=n}if(!hN(r))return pS(t,0,r,e,0,t.length,Rf),t;if(!pN(r)){let n=0;for(let[o,s]of r.entries())n=hS(t,n,s,e,o===0?Rf:dS),i.push(n);return i.pop(),{positions:t,holeIndices:i}}return hS(t,0,r,e,Rf),t}function $g(r,e,t){let i=r.length/3,n=0;for(let o=0;o<i;o++){let s=(o+1)%i;n+=r[o*3+e]*r[s*3+t],n-=r[s*3+e]*r[o*3+t]}return Math.abs(n/2)}function gS(r,e,t,i){let n=r.length/3;for(let o=0;o<n;o++){let s=o*3,a=r[s+0],c=r[s+1],l=r[s+2];r[s+e]=a,r[s+t]=c,r[s+i]=l}}function _S(r,e,t,i){let n=la(r);n&&(n=n.map(a=>a/e));let o=In(r),s=i&&e===3;if(t){let a=o.length;o=o.slice();let c=[];for(let l=0;l<a;l+=e){c[0]=o[l],c[1]=o[l+1],s&&(c[2]=o[l+2]);let f=t(c);o[l]=f[0],o[l+1]=f[1],s&&(o[l+2]=f[2])}}if(s){let a=$g(o,0,1),c=$g(o,0,2),l=$g(o,1,2);if(!a&&!c&&!l)return[];a>c&&a>l||(c>l?(t||(o=o.slice()),gS(o,0,2,1)):(t||(o=o.slice()),gS(o,2,0,1)))}return(0,mS.default)(o,n,e)}var fa=class extends Lr{constructor(e){let{fp64:t,IndexType:i=Uint32Array}=e;super({...e,attributes:{positions:{size:3,type:t?Float64Array:Float32Array},vertexValid:{type:Uint16Array,size:1},indices:{type:i,size:1}}})}get(e){let{attributes:t}=this;return e==="indices"?t.indices&&t.indices.subarray(0,this.vertexCount):t[e]}updateGeometry(e){super.updateGeometry(e);let t=this.buffers.indices;if(t)this.vertexCount=(t.value||t).length;else if(this.data&&!this.getGeometry)throw new Error("missing indices buffer")}normalizeGeometry(e){if(this.normalize){let t=Of(e,this.positionSize);return this.opts.resolution?ra(In(t),la(t),{size:this.positionSize,gridResolution:this.opts.resolution,edgeTypes:!0}):this.opts.wrapLongitude?Ng(In(t),la(t),{size:this.positionSize,maxLatitude:86,edgeTypes:!0}):t}return e}getGeometrySize(e){if(xS(e)){let t=0;for(let i of e)t+=this.getGeometrySize(i);return t}return In(e).length/this.positionSize}getGeometryFromBuffer(e){return this.normalize||!this.buffers.indices?super.getGeometryFromBuffer(e):null}updateGeometryAttributes(e,t){if(e&&xS(e))for(let i of e){let n=this.getGeometrySize(i);t.geometrySize=n,this.updateGeometryAttributes(i,t),t.vertexStart+=n,t.indexStart=this.indexStarts[t.geometryIndex+1]}else{let i=e;this._updateIndices(i,t),this._updatePositions(i,t),this._updateVertexValid(i,t)}}_updateIndices(e,{geometryIndex:t,vertexStart:i,indexStart:n}){let{attributes:o,indexStarts:s,typedArrayManager:a}=this,c=o.indices;if(!c||!e)return;let l=n,f=_S(e,this.positionSize,this.opts.preproject,this.opts.full3d);c=a.allocate(c,n+f.length,{copy:!0});for(let u=0;u<f.length;u++)c[l++]=f[u]+i;s[t+1]=n+f.length,o.indices=c}_updatePositions(e,{vertexStart:t,geometrySize:i}){let{attributes:{positions:n},positionSize:o}=this;if(!n||!e)return;let s=In(e);for(let a=t,c=0;c<i;a++,c++){let l=s[c*o],f=s[c*o+1],u=o>2?s[c*o+2]:0;n[a*3]=l,n[a*3+1]=f,n[a*3+2]=u}}_updateVertexValid(e,{vertexStart:t,geometrySize:i}){let{positionSize:n}=this,o=this.attributes.vertexValid,s=e&&la(e);if(e&&e.edgeTypes?o.set(e.edgeTypes,t):o.fill(1,t,t+i),s)for(let a=0;a<s.length;a++)o[t+s[a]/n-1]=0;o[t+i-1]=0}};function xS(r){return Array.isArray(r)&&r.length>0&&!Number.isFinite(r[0])}var _N=`struct SolidPolygonUniforms {
  extruded: f32,
  isWireframe: f32,
  elevationScale: f32,
};

@group(0) @binding(auto) var<uniform> solidPolygon: SolidPolygonUniforms;
`,bS=`layout(std140) uniform solidPolygonUniforms {
  bool extruded;
  bool isWireframe;
  float elevationScale;
} solidPolygon;
`,vS={name:"solidPolygon",source:_N,vs:bS,fs:bS,uniformTypes:{extruded:"f32",isWireframe:"f32",elevationScale:"f32"}};var Bf=`in vec4 fillColors;
in vec4 lineColors;
in float rowIndexes;
out vec4 vColor;
struct PolygonProps {
vec3 positions;
vec3 positions64Low;
vec3 normal;
float elevations;
};
vec3 project_offset_normal(vec3 vector) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT_OFFSETS) {
return normalize(vector * project.commonUnitsPerWorldUnit);
}
return project_normal(vector);
}
void calculatePosition(PolygonProps props) {
vec3 pos = props.positions;
vec3 pos64Low = props.positions64Low;
vec3 normal = props.normal;
vec4 colors = solidPolygon.isWireframe ? lineColors : fillColors;
geometry.worldPosition = props.positions;
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
if (solidPolygon.extruded) {
pos.z += props.elevations * solidPolygon.elevationScale;
}
gl_Position = project_position_to_clipspace(pos, pos64Low, vec3(0.), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
if (solidPolygon.extruded) {
#ifdef IS_SIDE_VERTEX
normal = project_offset_normal(normal);
#else
normal = project_normal(normal);
#endif
geometry.normal = normal;
vec3 lightColor = lighting_getLightColor(colors.rgb, project.cameraPosition, geometry.position.xyz, geometry.normal);
vColor = vec4(lightColor, colors.a * layer.opacity);
} else {
vColor = vec4(colors.rgb, colors.a * layer.opacity);
}
DECKGL_FILTER_COLOR(vColor, geometry);
}
`;var wS=`#version 300 es
#define SHADER_NAME solid-polygon-layer-vertex-shader
in vec3 vertexPositions;
in vec3 vertexPositions64Low;
in float elevations;
${Bf}
void main(void) {
PolygonProps props;
props.positions = vertexPositions;
props.positions64Low = vertexPositions64Low;
props.elevations = elevations;
props.normal = vec3(0.0, 0.0, 1.0);
calculatePosition(props);
}
`;var PS=`#version 300 es
#define SHADER_NAME solid-polygon-layer-vertex-shader-side
#define IS_SIDE_VERTEX
in vec2 positions;
in vec3 vertexPositions;
in vec3 nextVertexPositions;
in vec3 vertexPositions64Low;
in vec3 nextVertexPositions64Low;
in float elevations;
in float instanceVertexValid;
${Bf}
void main(void) {
if(instanceVertexValid < 0.5){
gl_Position = vec4(0.);
return;
}
PolygonProps props;
vec3 pos;
vec3 pos64Low;
vec3 nextPos;
vec3 nextPos64Low;
#if RING_WINDING_ORDER_CW == 1
pos = vertexPositions;
pos64Low = vertexPositions64Low;
nextPos = nextVertexPositions;
nextPos64Low = nextVertexPositions64Low;
#else
pos = nextVertexPositions;
pos64Low = nextVertexPositions64Low;
nextPos = vertexPositions;
nextPos64Low = vertexPositions64Low;
#endif
props.positions = mix(pos, nextPos, positions.x);
props.positions64Low = mix(pos64Low, nextPos64Low, positions.x);
props.normal = vec3(
pos.y - nextPos.y + (pos64Low.y - nextPos64Low.y),
nextPos.x - pos.x + (nextPos64Low.x - pos64Low.x),
0.0);
props.elevations = elevations * positions.y;
calculatePosition(props);
}
`;var ES=`#version 300 es
#define SHADER_NAME solid-polygon-layer-fragment-shader
precision highp float;
in vec4 vColor;
out vec4 fragColor;
void main(void) {
fragColor = vColor;
geometry.uv = vec2(0.);
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;function SS(){return`fn project_offset_normal(vector: vec3<f32>) -> vec3<f32> {
  if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
      project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT_OFFSETS) {
    return normalize(vector * project.commonUnitsPerWorldUnit);
  }
  return project_normal(vector);
}

fn apply_polygon_color(
  colors: vec4<f32>,
  normal: vec3<f32>,
  position: vec4<f32>
) -> vec4<f32> {
  if (solidPolygon.extruded > 0.5) {
    let lightColor = lighting_getLightColor2(
      colors.rgb,
      project.cameraPosition,
      position.xyz,
      normal
    );
    return vec4<f32>(lightColor, colors.a * layer.opacity);
  }
  return vec4<f32>(colors.rgb, colors.a * layer.opacity);
}
`}function TS(){return`@fragment
fn fragmentMain(inp: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = vec2<f32>(0.0, 0.0);

  clip_filterColor(inp.clipCoordinates);

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(inp.pickingColor)) {
      discard;
    }
    return vec4<f32>(inp.pickingColor, 1.0);
  }

  var fragColor = inp.vColor;

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(inp.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return deckgl_premultiplied_alpha(fragColor);
}
`}function yN(){return`${SS()}

struct Attributes {
  @location(0) vertexPositions: vec3<f32>,
  @location(1) vertexPositions64Low: vec3<f32>,
  @location(2) elevations: f32,
  @location(3) fillColors: vec4<f32>,
  @location(4) lineColors: vec4<f32>,
  @location(5) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) pickingColor: vec3<f32>,
  @location(2) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var outp: Varyings;

  var pos = attributes.vertexPositions;
  if (solidPolygon.extruded > 0.5) {
    pos.z += attributes.elevations * solidPolygon.elevationScale;
  }

  geometry.worldPosition = attributes.vertexPositions;
  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    pos,
    attributes.vertexPositions64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  outp.position = projectedPosition.clipPosition;

  let normal = project_normal(vec3<f32>(0.0, 0.0, 1.0));
  geometry.normal = normal;

  let colors = select(
    attributes.fillColors,
    attributes.lineColors,
    solidPolygon.isWireframe > 0.5
  );
  outp.vColor = apply_polygon_color(colors, normal, geometry.position);
  outp.pickingColor = geometry.pickingColor;

  outp.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&outp.position, geometry.worldPosition.xy);

  return outp;
}

${TS()}
`}function xN(r){return`const RING_WINDING_ORDER_CW: bool = ${r?"true":"false"};

${SS()}

struct Attributes {
  @location(0) positions: vec2<f32>,
  @location(1) vertexPositions: vec3<f32>,
  @location(2) vertexPositions64Low: vec3<f32>,
  @location(3) nextVertexPositions: vec3<f32>,
  @location(4) nextVertexPositions64Low: vec3<f32>,
  @location(5) vertexValid: f32,
  @location(6) elevations: f32,
  @location(7) fillColors: vec4<f32>,
  @location(8) lineColors: vec4<f32>,
  @location(9) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) pickingColor: vec3<f32>,
  @location(2) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var outp: Varyings;
  outp.position = vec4<f32>(0.0);
  outp.vColor = vec4<f32>(0.0);
  outp.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);
  outp.clipCoordinates = vec2<f32>(0.0);

  if (attributes.vertexValid < 0.5) {
    return outp;
  }

  let pos = select(attributes.nextVertexPositions, attributes.vertexPositions, RING_WINDING_ORDER_CW);
  let pos64Low = select(
    attributes.nextVertexPositions64Low,
    attributes.vertexPositions64Low,
    RING_WINDING_ORDER_CW
  );
  let nextPos = select(attributes.vertexPositions, attributes.nextVertexPositions, RING_WINDING_ORDER_CW);
  let nextPos64Low = select(
    attributes.vertexPositions64Low,
    attributes.nextVertexPositions64Low,
    RING_WINDING_ORDER_CW
  );

  let position = mix(pos, nextPos, attributes.positions.x);
  let position64Low = mix(pos64Low, nextPos64Low, attributes.positions.x);

  var worldPosition = position;
  if (solidPolygon.extruded > 0.5) {
    worldPosition.z += attributes.elevations * attributes.positions.y * solidPolygon.elevationScale;
  }

  geometry.worldPosition = position;
  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    worldPosition,
    position64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  outp.position = projectedPosition.clipPosition;

  let normal = project_offset_normal(vec3<f32>(
    pos.y - nextPos.y + (pos64Low.y - nextPos64Low.y),
    nextPos.x - pos.x + (nextPos64Low.x - pos64Low.x),
    0.0
  ));
  geometry.normal = normal;

  let colors = select(
    attributes.fillColors,
    attributes.lineColors,
    solidPolygon.isWireframe > 0.5
  );
  outp.vColor = apply_polygon_color(colors, normal, geometry.position);
  outp.pickingColor = geometry.pickingColor;

  outp.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&outp.position, geometry.worldPosition.xy);

  return outp;
}

${TS()}
`}function LS(r,e){return r==="top"?yN():xN(e)}var kf=[0,0,0,255],bN={filled:!0,extruded:!1,wireframe:!1,_normalize:!0,_windingOrder:"CW",_full3d:!1,elevationScale:{type:"number",min:0,value:1},getPolygon:{type:"accessor",value:r=>r.polygon},getElevation:{type:"accessor",value:1e3},getFillColor:{type:"accessor",value:kf},getLineColor:{type:"accessor",value:kf},material:!0},Df={enter:(r,e)=>e.length?e.subarray(e.length-r.length):r},ua=class extends ae{getShaders(e){let t=!this.props._normalize&&this.props._windingOrder==="CCW"?0:1;return super.getShaders({vs:e==="top"?wS:PS,fs:ES,source:LS(e,!!t),defines:{RING_WINDING_ORDER_CW:t},modules:[de,fe,Wi,he,vS,...this.context.device.type==="webgpu"?[An]:[]]})}get wrapLongitude(){return!1}getBounds(){return this.getAttributeManager()?.getBounds(["vertexPositions"])}initializeState(){let{viewport:e}=this.context,{coordinateSystem:t}=this.props,{_full3d:i}=this.props;e.isGeospatial&&t==="default"&&(t="lnglat");let n;t==="lnglat"&&(i?n=e.projectPosition.bind(e):n=e.projectFlat.bind(e)),this.setState({numInstances:0,polygonTesselator:new fa({preproject:n,fp64:this.use64bitPositions(),IndexType:Uint32Array})});let o=this.getAttributeManager(),s=!0,a=this.context.device.type==="webgpu";o.add({indices:{size:1,isIndexed:!0,update:this.calculateIndices,noAlloc:s},vertexPositions:{size:3,type:"float64",stepMode:"dynamic",fp64:this.use64bitPositions(),transition:Df,accessor:"getPolygon",update:this.calculatePositions,noAlloc:s,...a?{}:{shaderAttributes:{nextVertexPositions:{vertexOffset:1}}}},...a?{nextVertexPositions:{size:3,type:"float64",stepMode:"dynamic",fp64:this.use64bitPositions(),transition:!1,update:this.calculateNextPositions,noAlloc:s}}:{},[a?"vertexValid":"instanceVertexValid"]:{size:1,type:a?"float32":"uint16",stepMode:"instance",update:this.calculateVertexValid,noAlloc:s},elevations:{size:1,stepMode:"dynamic",transition:Df,accessor:"getElevation",bufferGroup:"solid-polygon-instance-data"},fillColors:{size:this.props.colorFormat.length,type:"unorm8",stepMode:"dynamic",transition:Df,accessor:"getFillColor",defaultValue:kf,bufferGroup:"solid-polygon-instance-data"},lineColors:{size:this.props.colorFormat.length,type:"unorm8",stepMode:"dynamic",transition:Df,accessor:"getLineColor",defaultValue:kf,bufferGroup:"solid-polygon-instance-data"},rowIndexes:{size:1,type:"uint32",stepMode:"dynamic",accessor:(c,{index:l})=>c&&c.__source?c.__source.index:l,bufferGroup:"solid-polygon-instance-data"}})}getPickingInfo(e){let t=super.getPickingInfo(e),{index:i}=t,n=this.props.data;return n[0]&&n[0].__source&&(t.object=n.find(o=>o.__source.index===i)),t}disablePickingIndex(e){let t=this.props.data;if(t[0]&&t[0].__source)for(let i=0;i<t.length;i++)t[i].__source.index===e&&this._disablePickingIndex(i);else super.disablePickingIndex(e)}draw({uniforms:e}){let{extruded:t,filled:i,wireframe:n,elevationScale:o}=this.props,{topModel:s,sideModel:a,wireframeModel:c,polygonTesselator:l}=this.state,f={extruded:!!t,elevationScale:o,isWireframe:!1};c&&n&&(c.setInstanceCount(l.instanceCount-1),c.shaderInputs.setProps({solidPolygon:{...f,isWireframe:!0}}),c.draw(this.context.renderPass)),a&&i&&(a.setInstanceCount(l.instanceCount-1),a.shaderInputs.setProps({solidPolygon:f}),a.draw(this.context.renderPass)),s&&i&&(s.setVertexCount(l.vertexCount),s.shaderInputs.setProps({solidPolygon:f}),s.draw(this.context.renderPass))}updateState(e){super.updateState(e),this.updateGeometry(e);let{props:t,oldProps:i,changeFlags:n}=e,o=this.getAttributeManager();(n.extensionsChanged||t.filled!==i.filled||t.extruded!==i.extruded)&&(this.state.models?.forEach(a=>a.destroy()),this.setState(this._getModels()),o.invalidateAll())}updateGeometry({props:e,oldProps:t,changeFlags:i}){if(i.dataChanged||i.updateTriggersChanged&&(i.updateTriggersChanged.all||i.updateTriggersChanged.getPolygon)){let{polygonTesselator:o}=this.state,s=e.data.attributes||{};o.updateGeometry({data:e.data,normalize:e._normalize,geometryBuffer:s.getPolygon,buffers:this.context.device.type==="webgpu"?{...s}:s,getGeometry:e.getPolygon,positionFormat:e.positionFormat,wrapLongitude:e.wrapLongitude,resolution:this.context.viewport.resolution,fp64:this.use64bitPositions(),dataChanged:i.dataChanged,full3d:e._full3d}),this.setState({numInstances:o.instanceCount,startIndices:o.vertexStarts}),i.dataChanged||this.getAttributeManager().invalidateAll()}}_getModels(){let{id:e,filled:t,extruded:i}=this.props,n,o,s;if(t){let a=this.getShaders("top");a.defines={...a.defines,NON_INSTANCED_MODEL:1};let c=this.getAttributeManager().getBufferLayouts({isInstanced:!1});this.context.device.type==="webgpu"&&(c=c.filter(l=>l.name!=="indices"&&l.name!=="vertexValid"&&l.name!=="instanceVertexValid"&&l.name!=="nextVertexPositions")),n=new Z(this.context.device,{...a,id:`${e}-top`,topology:"triangle-list",bufferLayout:c,isIndexed:!0,userData:{excludeAttributes:{vertexValid:!0,instanceVertexValid:!0,nextVertexPositions:!0}}})}if(i){let a=this.getAttributeManager().getBufferLayouts({isInstanced:!0});this.context.device.type==="webgpu"&&(a=a.filter(c=>c.name!=="indices")),o=new Z(this.context.device,{...this.getShaders("side"),id:`${e}-side`,bufferLayout:a,geometry:new pe({topology:"triangle-strip",attributes:{positions:{size:2,value:new Float32Array([1,0,0,0,1,1,0,1])}}}),isInstanced:!0,userData:{excludeAttributes:{indices:!0}}}),s=new Z(this.context.device,{...this.getShaders("side"),id:`${e}-wireframe`,bufferLayout:a,geometry:new pe({topology:"line-strip",attributes:{positions:{size:2,value:new Float32Array([1,0,0,0,0,1,1,1])}}}),isInstanced:!0,userData:{excludeAttributes:{indices:!0}}})}return{models:[o,s,n].filter(Boolean),topModel:n,sideModel:o,wireframeModel:s}}calculateIndices(e){let{polygonTesselator:t}=this.state;e.startIndices=t.indexStarts,e.value=t.get("indices")}calculatePositions(e){let{polygonTesselator:t}=this.state;e.startIndices=t.vertexStarts;let i=this.props.data.attributes?.getPolygon;if(this.context.device.type==="webgpu"&&ArrayBuffer.isView(i?.value)){let{value:n,size:o=3,offset:s=0,stride:a}=i,c=s/n.BYTES_PER_ELEMENT,l=a?a/n.BYTES_PER_ELEMENT:o,f=new Float64Array(t.instanceCount*3);for(let u=0;u<t.instanceCount;u++){let d=c+u*l,h=u*3;f[h]=n[d],f[h+1]=n[d+1],f[h+2]=o>2?n[d+2]:0}e.value=f;return}e.value=t.get("positions")}calculateVertexValid(e){let t=this.props.data.attributes?.instanceVertexValid?.value,i=this.context.device.type==="webgpu"&&t?t:this.state.polygonTesselator.get("vertexValid");e.value=this.context.device.type==="webgpu"&&i?Float32Array.from(i):i}calculateNextPositions(e){let{polygonTesselator:t}=this.state,i=this.getAttributeManager().getAttributes(),n=i.vertexPositions.value,o=this.props.data.attributes?.instanceVertexValid?.value||i.vertexValid?.value||t.get("vertexValid");if(e.startIndices=t.vertexStarts,!n){e.value=n;return}let s=n.length/3,a=new n.constructor(n.length);for(let c=0;c<s;c++){let l=c*3,f=o?.[c]&&c+1<s?l+3:l;for(let u=0;u<3;u++)a[l+u]=n[f+u]}e.value=a}};ua.defaultProps=bN;ua.layerName="SolidPolygonLayer";var Nf=ua;function CS({data:r,getIndex:e,dataRange:t,replace:i}){let{startRow:n=0,endRow:o=1/0}=t,s=r.length,a=s,c=s;for(let d=0;d<s;d++){let h=e(r[d]);if(a>d&&h>=n&&(a=d),h>=o){c=d;break}}let l=a,u=c-a!==i.length?r.slice(c):void 0;for(let d=0;d<i.length;d++)r[l++]=i[d];if(u){for(let d=0;d<u.length;d++)r[l++]=u[d];r.length=l}return{startRow:a,endRow:a+i.length}}var AS=[0,0,0,255],vN=[0,0,0,255],wN={stroked:!0,filled:!0,extruded:!1,elevationScale:1,wireframe:!1,_normalize:!0,_windingOrder:"CW",lineWidthUnits:"meters",lineWidthScale:1,lineWidthMinPixels:0,lineWidthMaxPixels:Number.MAX_SAFE_INTEGER,lineJointRounded:!1,lineMiterLimit:4,lineAntialiasing:!1,getPolygon:{type:"accessor",value:r=>r.polygon},getFillColor:{type:"accessor",value:vN},getLineColor:{type:"accessor",value:AS},getLineWidth:{type:"accessor",value:1},getElevation:{type:"accessor",value:1e3},material:!0},da=class extends Ws{initializeState(){this.state={paths:[],pathsDiff:null},this.props.getLineDashArray&&B.removed("getLineDashArray","PathStyleExtension")()}updateState({changeFlags:e}){let t=e.dataChanged||e.updateTriggersChanged&&(e.updateTriggersChanged.all||e.updateTriggersChanged.getPolygon);if(t&&Array.isArray(e.dataChanged)){let i=this.state.paths.slice(),n=e.dataChanged.map(o=>CS({data:i,getIndex:s=>s.__source.index,dataRange:o,replace:this._getPaths(o)}));this.setState({paths:i,pathsDiff:n})}else t&&this.setState({paths:this._getPaths(),pathsDiff:null})}_getPaths(e={}){let{data:t,getPolygon:i,positionFormat:n,_normalize:o}=this.props,s=[],a=n==="XY"?2:3,{startRow:c,endRow:l}=e,{iterable:f,objectInfo:u}=He(t,c,l);for(let d of f){u.index++;let h=i(d,u);o&&(h=Of(h,a));let{holeIndices:p}=h,g=h.positions||h;if(p)for(let m=0;m<=p.length;m++){let y=g.slice(p[m-1]||0,p[m]||g.length);s.push(this.getSubLayerRow({path:y},d,u.index))}else s.push(this.getSubLayerRow({path:g},d,u.index))}return s}renderLayers(){let{data:e,_dataDiff:t,stroked:i,filled:n,extruded:o,wireframe:s,_normalize:a,_windingOrder:c,elevationScale:l,transitions:f,positionFormat:u}=this.props,{lineWidthUnits:d,lineWidthScale:h,lineWidthMinPixels:p,lineWidthMaxPixels:g,lineJointRounded:m,lineMiterLimit:y,lineAntialiasing:v,lineDashJustified:_}=this.props,{getFillColor:b,getLineColor:w,getLineWidth:P,getLineDashArray:L,getElevation:T,getPolygon:C,updateTriggers:S,material:R}=this.props,{paths:I,pathsDiff:A}=this.state,O=this.getSubLayerClass("fill",Nf),W=this.getSubLayerClass("stroke",Lf),z=this.shouldRenderSubLayer("fill",I)&&new O({_dataDiff:t,extruded:o,elevationScale:l,filled:n,wireframe:s,_normalize:a,_windingOrder:c,getElevation:T,getFillColor:b,getLineColor:o&&s?w:AS,material:R,transitions:f},this.getSubLayerProps({id:"fill",updateTriggers:S&&{getPolygon:S.getPolygon,getElevation:S.getElevation,getFillColor:S.getFillColor,lineColors:o&&s,getLineColor:S.getLineColor}}),{data:e,positionFormat:u,getPolygon:C}),U=!o&&i&&this.shouldRenderSubLayer("stroke",I)&&new W({_dataDiff:A&&(()=>A),widthUnits:d,widthScale:h,widthMinPixels:p,widthMaxPixels:g,jointRounded:m,miterLimit:y,antialiasing:v,dashJustified:_,_pathType:"loop",transitions:f&&{getWidth:f.getLineWidth,getColor:f.getLineColor,getPath:f.getPolygon},getColor:this.getSubLayerAccessor(w),getWidth:this.getSubLayerAccessor(P),getDashArray:this.getSubLayerAccessor(L)},this.getSubLayerProps({id:"stroke",updateTriggers:S&&{getWidth:S.getLineWidth,getColor:S.getLineColor,getDashArray:S.getLineDashArray}}),{data:I,positionFormat:u,getPath:Ut=>Ut.path});return[!o&&z,U,o&&z]}};da.layerName="PolygonLayer";da.defaultProps=wN;var MS=da;var IS=`layout(std140) uniform sdfUniforms {
  float gamma;
  bool enabled;
  float buffer;
  float outlineBuffer;
  vec4 outlineColor;
} sdf;
`,RS={name:"sdf",vs:IS,fs:IS,uniformTypes:{gamma:"f32",enabled:"f32",buffer:"f32",outlineBuffer:"f32",outlineColor:"vec4<f32>"}};var ha={none:0,start:1,center:2,end:3},PN=`layout(std140) uniform textUniforms {
  highp vec2 cutoffPixels;
  highp ivec2 align;
  highp float fontSize;
  bool flipY;
} text;

#define ALIGN_MODE_START ${ha.start}
#define ALIGN_MODE_CENTER ${ha.center}
#define ALIGN_MODE_END ${ha.end}
`,Ff={name:"text",vs:PN,getUniforms:({contentCutoffPixels:r=[0,0],contentAlignHorizontal:e="none",contentAlignVertical:t="none",fontSize:i,viewport:n})=>({cutoffPixels:r,align:[ha[e],ha[t]],fontSize:i,flipY:n?.flipY??!1}),uniformTypes:{cutoffPixels:"vec2<f32>",align:"vec2<i32>",fontSize:"f32",flipY:"f32"}};var OS=`#version 300 es
#define SHADER_NAME multi-icon-layer-vertex-shader
in vec2 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in float instanceSizes;
in float instanceAngles;
in vec4 instanceColors;
in float rowIndexes;
in vec4 instanceIconFrames;
in float instanceColorModes;
in vec2 instanceOffsets;
in vec2 instancePixelOffset;
in vec4 instanceClipRect;
out float vColorMode;
out vec4 vColor;
out vec2 vTextureCoords;
out vec2 uv;
vec2 rotate_by_angle(vec2 vertex, float angle) {
float angle_radian = angle * PI / 180.0;
float cos_angle = cos(angle_radian);
float sin_angle = sin(angle_radian);
mat2 rotationMatrix = mat2(cos_angle, -sin_angle, sin_angle, cos_angle);
return rotationMatrix * vertex;
}
float getPixelOffsetFromAlignment(float anchor, float extent, float clipStart, float clipEnd, int mode) {
if (clipEnd < clipStart) return 0.0;
if (mode == ALIGN_MODE_START) {
return max(- (anchor + clipStart), 0.0);
}
if (mode == ALIGN_MODE_CENTER) {
float _min = max(0., anchor + clipStart);
float _max = min(extent, anchor + clipEnd);
return _min < _max ? (_min + _max) / 2.0 - anchor : 0.0;
}
if (mode == ALIGN_MODE_END) {
return min(extent - (anchor + clipEnd), 0.);
}
return 0.0;
}
void main(void) {
geometry.worldPosition = instancePositions;
geometry.uv = positions;
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
uv = positions;
vec2 iconSize = instanceIconFrames.zw;
float sizePixels = clamp(
project_size_to_pixel(instanceSizes * icon.sizeScale, icon.sizeUnits),
icon.sizeMinPixels, icon.sizeMaxPixels
);
float instanceScale = sizePixels / text.fontSize;
vec2 pixelOffset = positions / 2.0 * iconSize + instanceOffsets;
pixelOffset = rotate_by_angle(pixelOffset, instanceAngles) * instanceScale;
pixelOffset += instancePixelOffset;
pixelOffset.y *= -1.0;
vec2 anchorPosScreen;
if (icon.billboard)  {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
anchorPosScreen = gl_Position.xy / gl_Position.w;
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = vec3(pixelOffset, 0.0);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset_common = vec3(project_pixel_size(pixelOffset), 0.0);
if (text.flipY) {
offset_common.y *= -1.;
}
DECKGL_FILTER_SIZE(offset_common, geometry);
vec4 anchorPos = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0));
anchorPosScreen = anchorPos.xy / anchorPos.w;
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset_common, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
anchorPosScreen = vec2(anchorPosScreen.x + 1.0, 1.0 - anchorPosScreen.y) / 2.0 * project.viewportSize / project.devicePixelRatio;
vec2 xy = project_size_to_pixel(instanceClipRect.xy);
vec2 wh = project_size_to_pixel(instanceClipRect.zw);
if (text.flipY) {
xy.y = -xy.y - wh.y;
}
if (text.align.x > 0 || text.align.y > 0) {
vec2 viewportPixels = project.viewportSize / project.devicePixelRatio;
vec2 scrollPixels = vec2(
getPixelOffsetFromAlignment(anchorPosScreen.x, viewportPixels.x, xy.x, xy.x + wh.x, text.align.x),
-getPixelOffsetFromAlignment(anchorPosScreen.y, viewportPixels.y, -xy.y - wh.y, -xy.y, text.align.y)
);
pixelOffset += scrollPixels;
gl_Position.xy += project_pixel_size_to_clipspace(scrollPixels);
}
if (instanceClipRect.z >= 0.) {
if (pixelOffset.x < xy.x || pixelOffset.x > xy.x + wh.x) {
gl_Position = vec4(0.0);
}
else if (text.cutoffPixels.x > 0.) {
float vpWidth = project.viewportSize.x / project.devicePixelRatio;
float l = max(anchorPosScreen.x + xy.x, 0.0);
float r = min(anchorPosScreen.x + xy.x + wh.x, vpWidth);
if (r - l < text.cutoffPixels.x) {
gl_Position = vec4(0.0);
}
}
}
if (instanceClipRect.w >= 0.) {
if (pixelOffset.y < xy.y || pixelOffset.y > xy.y + wh.y) {
gl_Position = vec4(0.0);
}
else if (text.cutoffPixels.y > 0.) {
float vpHeight = project.viewportSize.y / project.devicePixelRatio;
float t = max(anchorPosScreen.y - xy.y - wh.y, 0.0);
float b = min(anchorPosScreen.y - xy.y, vpHeight);
if (b - t < text.cutoffPixels.y) {
gl_Position = vec4(0.0);
}
}
}
vTextureCoords = mix(
instanceIconFrames.xy,
instanceIconFrames.xy + iconSize,
(positions.xy + 1.0) / 2.0
) / icon.iconsTextureDim;
vColor = instanceColors;
DECKGL_FILTER_COLOR(vColor, geometry);
vColorMode = instanceColorModes;
}
`;var BS=`#version 300 es
#define SHADER_NAME multi-icon-layer-fragment-shader
precision highp float;
uniform sampler2D iconsTexture;
in vec4 vColor;
in vec2 vTextureCoords;
in vec2 uv;
out vec4 fragColor;
void main(void) {
geometry.uv = uv;
if (!bool(picking.isActive)) {
float alpha = texture(iconsTexture, vTextureCoords).a;
vec4 color = vColor;
if (sdf.enabled) {
float distance = alpha;
alpha = smoothstep(sdf.buffer - sdf.gamma, sdf.buffer + sdf.gamma, distance);
if (sdf.outlineBuffer > 0.0) {
float inFill = alpha;
float inBorder = smoothstep(sdf.outlineBuffer - sdf.gamma, sdf.outlineBuffer + sdf.gamma, distance);
color = mix(sdf.outlineColor, vColor, inFill);
alpha = inBorder;
}
}
float a = alpha * color.a;
if (a < icon.alphaCutoff) {
discard;
}
fragColor = vec4(color.rgb, a * layer.opacity);
}
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;function EN({collision:r=!1}={}){return`struct IconUniforms {
  sizeScale: f32,
  iconsTextureDim: vec2<f32>,
  sizeBasis: f32,
  sizeMinPixels: f32,
  sizeMaxPixels: f32,
  billboard: i32,
  sizeUnits: i32,
  alphaCutoff: f32
};

struct TextUniforms {
  cutoffPixels: vec2<f32>,
  align: vec2<i32>,
  fontSize: f32,
  flipY: f32
};

struct SdfUniforms {
  gamma: f32,
  enabled: f32,
  buffer: f32,
  outlineBuffer: f32,
  outlineColor: vec4<f32>
};

${r?`struct CollisionUniforms {
  sort: i32,
  enabled: i32
};
`:""}

const ALIGN_MODE_START: i32 = 1;
const ALIGN_MODE_CENTER: i32 = 2;
const ALIGN_MODE_END: i32 = 3;

@group(0) @binding(auto) var<uniform> icon: IconUniforms;
@group(0) @binding(auto) var<uniform> text: TextUniforms;
@group(0) @binding(auto) var<uniform> sdf: SdfUniforms;
${r?"@group(0) @binding(auto) var<uniform> collision: CollisionUniforms;":""}
@group(0) @binding(auto) var iconsTexture : texture_2d<f32>;
@group(0) @binding(auto) var iconsTextureSampler : sampler;
${r?`@group(0) @binding(auto) var collision_texture : texture_2d<f32>;
`:""}

fn rotate_by_angle(vertex: vec2<f32>, angle_deg: f32) -> vec2<f32> {
  let angle_radian = angle_deg * PI / 180.0;
  let c = cos(angle_radian);
  let s = sin(angle_radian);
  let rotation = mat2x2<f32>(vec2<f32>(c, -s), vec2<f32>(s, c));
  return rotation * vertex;
}

fn get_pixel_offset_from_alignment(
  anchor: f32,
  extent: f32,
  clipStart: f32,
  clipEnd: f32,
  mode: i32
) -> f32 {
  if (clipEnd < clipStart) {
    return 0.0;
  }
  if (mode == ALIGN_MODE_START) {
    return max(-(anchor + clipStart), 0.0);
  }
  if (mode == ALIGN_MODE_CENTER) {
    let minValue = max(0.0, anchor + clipStart);
    let maxValue = min(extent, anchor + clipEnd);
    if (minValue < maxValue) {
      return (minValue + maxValue) / 2.0 - anchor;
    }
    return 0.0;
  }
  if (mode == ALIGN_MODE_END) {
    return min(extent - (anchor + clipEnd), 0.0);
  }
  return 0.0;
}

${r?`fn collision_match(texCoords: vec2<f32>, pickingColor: vec3<f32>) -> f32 {
  let textureSize = vec2<i32>(textureDimensions(collision_texture));
  let pixelCoords = clamp(
    vec2<i32>(texCoords * vec2<f32>(textureSize)),
    vec2<i32>(0),
    textureSize - vec2<i32>(1)
  );
  let collisionPickingColor = textureLoad(collision_texture, pixelCoords, 0);
  let delta = dot(abs(collisionPickingColor.rgb - pickingColor), vec3<f32>(1.0));
  return step(delta, 0.001);
}

fn collision_is_visible(texCoords: vec2<f32>, pickingColor: vec3<f32>) -> f32 {
  if (collision.enabled == 0) {
    return 1.0;
  }

  var accumulator = 0.0;
  let stepSize = vec2<f32>(1.0) / project.viewportSize;

  for (var i: i32 = -2; i <= 2; i = i + 1) {
    for (var j: i32 = -2; j <= 2; j = j + 1) {
      let delta = vec2<f32>(f32(j), f32(i)) * stepSize;
      accumulator = accumulator + collision_match(texCoords + delta, pickingColor);
    }
  }

  return pow(accumulator / 25.0, 2.2);
}
`:""}

struct Attributes {
  @location(0) positions: vec2<f32>,

  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceSizes: f32,
  @location(4) instanceAngles: f32,
  @location(5) instanceColors: vec4<f32>,
  @location(6) instanceIconFrames: vec4<f32>,
  @location(7) instanceColorModes: f32,
  @location(8) instanceOffsets: vec2<f32>,
  @location(9) instancePixelOffset: vec2<f32>,
  @location(10) rowIndexes: u32,
  @location(11) instanceClipRect: vec4<f32>,
  ${r?"@location(12) collisionPriorities: f32,":""}
};

struct Varyings {
  @builtin(position) position: vec4<f32>,

  @location(0) vColorMode: f32,
  @location(1) vColor: vec4<f32>,
  @location(2) vTextureCoords: vec2<f32>,
  @location(3) uv: vec2<f32>,
  @location(4) pickingColor: vec3<f32>,
};

@vertex
fn vertexMain(inp: Attributes) -> Varyings {
  geometry.worldPosition = inp.instancePositions;
  geometry.uv = inp.positions;
  geometry.pickingColor = picking_getPickingColorFromIndex(inp.rowIndexes);

  var outp: Varyings;
  outp.uv = inp.positions;

  let iconSize = inp.instanceIconFrames.zw;

  let sizePixels = clamp(
    project_unit_size_to_pixel(inp.instanceSizes * icon.sizeScale, icon.sizeUnits),
    icon.sizeMinPixels, icon.sizeMaxPixels
  );
  let instanceScale = sizePixels / text.fontSize;

  var pixelOffset = inp.positions / 2.0 * iconSize + inp.instanceOffsets;
  pixelOffset = rotate_by_angle(pixelOffset, inp.instanceAngles) * instanceScale;
  pixelOffset = pixelOffset + inp.instancePixelOffset;
  pixelOffset.y = pixelOffset.y * -1.0;

  var pos: vec4<f32>;
  var anchorPosScreen: vec2<f32>;
  if (icon.billboard != 0) {
    pos = project_position_to_clipspace(inp.instancePositions, inp.instancePositions64Low, vec3<f32>(0.0));
    anchorPosScreen = pos.xy / pos.w;

    let clipOffset = project_pixel_size_to_clipspace(pixelOffset);
    pos = vec4<f32>(pos.x + clipOffset.x, pos.y + clipOffset.y, pos.z, pos.w);
  } else {
    var offsetCommon = vec3<f32>(project_pixel_size_vec2(pixelOffset), 0.0);
    if (text.flipY > 0.5) {
      offsetCommon.y = offsetCommon.y * -1.0;
    }
    let anchorPos = project_position_to_clipspace(inp.instancePositions, inp.instancePositions64Low, vec3<f32>(0.0));
    anchorPosScreen = anchorPos.xy / anchorPos.w;
    pos = project_position_to_clipspace(inp.instancePositions, inp.instancePositions64Low, offsetCommon);
  }

  anchorPosScreen = vec2<f32>(anchorPosScreen.x + 1.0, 1.0 - anchorPosScreen.y) / 2.0 *
    project.viewportSize / project.devicePixelRatio;
  var xy = project_size_vec2(inp.instanceClipRect.xy) * project.scale;
  var wh = project_size_vec2(inp.instanceClipRect.zw) * project.scale;

  if (text.flipY > 0.5) {
    xy.y = -xy.y - wh.y;
  }
  if (text.align.x > 0 || text.align.y > 0) {
    let viewportPixels = project.viewportSize / project.devicePixelRatio;
    let scrollPixels = vec2<f32>(
      get_pixel_offset_from_alignment(anchorPosScreen.x, viewportPixels.x, xy.x, xy.x + wh.x, text.align.x),
      -get_pixel_offset_from_alignment(anchorPosScreen.y, viewportPixels.y, -xy.y - wh.y, -xy.y, text.align.y)
    );
    pixelOffset = pixelOffset + scrollPixels;
    let scrollClipOffset = project_pixel_size_to_clipspace(scrollPixels);
    pos.x = pos.x + scrollClipOffset.x;
    pos.y = pos.y + scrollClipOffset.y;
  }

  if (inp.instanceClipRect.z >= 0.0) {
    if (pixelOffset.x < xy.x || pixelOffset.x > xy.x + wh.x) {
      pos = vec4<f32>(0.0);
    } else if (text.cutoffPixels.x > 0.0) {
      let viewportWidth = project.viewportSize.x / project.devicePixelRatio;
      let left = max(anchorPosScreen.x + xy.x, 0.0);
      let right = min(anchorPosScreen.x + xy.x + wh.x, viewportWidth);
      if (right - left < text.cutoffPixels.x) {
        pos = vec4<f32>(0.0);
      }
    }
  }
  if (inp.instanceClipRect.w >= 0.0) {
    if (pixelOffset.y < xy.y || pixelOffset.y > xy.y + wh.y) {
      pos = vec4<f32>(0.0);
    } else if (text.cutoffPixels.y > 0.0) {
      let viewportHeight = project.viewportSize.y / project.devicePixelRatio;
      let top = max(anchorPosScreen.y - xy.y - wh.y, 0.0);
      let bottom = min(anchorPosScreen.y - xy.y, viewportHeight);
      if (bottom - top < text.cutoffPixels.y) {
        pos = vec4<f32>(0.0);
      }
    }
  }

  ${r?`  if (collision.sort != 0) {
    pos.z = -0.001 * inp.collisionPriorities * pos.w;
  }
  `:""}

  let uvMix = (inp.positions.xy + vec2<f32>(1.0, 1.0)) * 0.5;
  outp.vTextureCoords = mix(inp.instanceIconFrames.xy, inp.instanceIconFrames.xy + iconSize, uvMix) / icon.iconsTextureDim;

  outp.position = pos;
  outp.vColor = inp.instanceColors;
  outp.vColorMode = inp.instanceColorModes;
  outp.pickingColor = picking_getPickingColorFromIndex(inp.rowIndexes);

  return outp;
}

@fragment
fn fragmentMain(inp: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = inp.uv;

  let texColor = textureSample(iconsTexture, iconsTextureSampler, inp.vTextureCoords);
  var alpha = texColor.a;
  var color = inp.vColor;

  if (sdf.enabled > 0.5) {
    let distance = alpha;
    alpha = smoothstep(sdf.buffer - sdf.gamma, sdf.buffer + sdf.gamma, distance);

    if (sdf.outlineBuffer > 0.0) {
      let inFill = alpha;
      let inBorder = smoothstep(sdf.outlineBuffer - sdf.gamma, sdf.outlineBuffer + sdf.gamma, distance);
      color = mix(sdf.outlineColor, inp.vColor, inFill);
      alpha = inBorder;
    }
  } else if (inp.vColorMode == 0.0) {
    color = texColor;
  }

  var a = alpha * color.a * layer.opacity;
  if (a < icon.alphaCutoff) {
    discard;
  }

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(inp.pickingColor)) {
      discard;
    }
    return vec4<f32>(inp.pickingColor, 1.0);
  }

  ${r?`  let collisionFade = collision_is_visible(inp.position.xy / project.viewportSize, inp.pickingColor);
  a = a * collisionFade;
  if (a <= 0.0001) {
    discard;
  }
  `:""}

  var fragColor = deckgl_premultiplied_alpha(vec4<f32>(color.rgb, a));

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(inp.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return fragColor;
}
`}var DS=EN();var Wg=192/256;var SN={getIconOffsets:{type:"accessor",value:r=>r.offsets},getContentBox:{type:"accessor",value:[0,0,-1,-1]},fontSize:1,alphaCutoff:.001,smoothing:.1,outlineWidth:0,outlineColor:{type:"color",value:[0,0,0,255]},contentCutoffPixels:{type:"array",value:[0,0]},contentAlignHorizontal:"none",contentAlignVertical:"none"},pa=class extends wf{getShaders(){let e=super.getShaders();return{...e,modules:[...e.modules,Ff,RS],vs:OS,fs:BS,source:DS}}initializeState(){super.initializeState();let e=this.getAttributeManager(),t=e.attributes.instanceIconDefs;t.settings.update=this.calculateInstanceIconDefs,e.addInstanced({rowIndexes:{type:"uint32",size:1,bufferGroup:"icon-instance-data",accessor:(i,{index:n})=>n},instanceClipRect:{size:4,bufferGroup:"icon-instance-data",accessor:"getContentBox",defaultValue:[0,0,-1,-1]}})}updateState(e){super.updateState(e);let{props:t,oldProps:i,changeFlags:n}=e,{outlineColor:o}=t;if(n.extensionsChanged){this.state.fillModel?.destroy();let s=this.context.device.type==="webgpu"?this._getModel(`${this.props.id}-fill`):void 0;this.setState({fillModel:s,models:s?[this.state.model,s]:[this.state.model]})}if(n.updateTriggersChanged&&(n.updateTriggersChanged.getIcon||n.updateTriggersChanged.getIconOffsets)&&this.getAttributeManager().invalidate("instanceIconDefs"),o!==i.outlineColor){let s=[o[0]/255,o[1]/255,o[2]/255,(o[3]??255)/255];this.setState({outlineColor:s})}!t.sdf&&t.outlineWidth&&B.warn(`${this.id}: fontSettings.sdf is required to render outline`)()}draw(e){let{sdf:t,smoothing:i,fontSize:n,outlineWidth:o,contentCutoffPixels:s,contentAlignHorizontal:a,contentAlignVertical:c}=this.props,{outlineColor:l}=this.state,f=o?Math.max(i,Wg*(1-o)):-1,u=this.state.model,d={buffer:Wg,outlineBuffer:f,gamma:i,enabled:!!t,outlineColor:l},h={contentCutoffPixels:s,contentAlignHorizontal:a,contentAlignVertical:c,fontSize:n,viewport:this.context.viewport};if(u.shaderInputs.setProps({sdf:d,text:h}),super.draw(e),t&&o){let{iconManager:p}=this.state;if(p.getTexture()){let m=this.state.fillModel||u;m.shaderInputs.setProps({sdf:{...d,outlineBuffer:Wg},text:h}),this._drawModel(m)}}}calculateInstanceIconDefs(e,{startRow:t,endRow:i}){let{data:n,getIcon:o,getIconOffsets:s}=this.props,a=e.getVertexOffset(t),c=e.value,{iterable:l,objectInfo:f}=He(n,t,i);for(let u of l){f.index++;let d=o(u,f),h=s(u,f);if(d){let p=0;for(let g of Array.from(d)){let m=super.getInstanceIconDef(g);m[0]=h[p*2],m[1]+=h[p*2+1],m[6]=1,c.set(m,a),a+=e.size,p++}}}}};pa.defaultProps=SN;pa.layerName="MultiIconLayer";var kS=pa;var jg=new Float64Array(256);for(let r=0;r<256;r++){let e=.5-Math.pow(r/255,.45454545454545453);jg[r]=e*Math.abs(e)}jg[255]=-1e20;var ga=class{constructor({fontSize:e=24,buffer:t=3,radius:i=8,cutoff:n=.25,fontFamily:o="sans-serif",fontWeight:s="normal",fontStyle:a="normal",lang:c=null}={}){t=this.buffer=Math.round(t),this.radius=i,this.cutoff=n,this.lang=c;let l=this.size=Math.ceil(e)+t*4,f=this._createCanvas(l),u=this.ctx=f.getContext("2d",{willReadFrequently:!0});u.font=`${a} ${s} ${e}px ${o}`,u.textBaseline="alphabetic",u.textAlign="left",u.fillStyle="black",c&&(u.lang=c);let h=(this.maxGlyphDim=l-t)+2*t;this.gridOuter=new Float64Array(h*h),this.gridInner=new Float64Array(h*h),this.f=new Float64Array(h),this.z=new Float64Array(h+1),this.v=new Uint16Array(h)}_createCanvas(e){if(typeof OffscreenCanvas<"u")return new OffscreenCanvas(e,e);let t=document.createElement("canvas");return t.width=t.height=e,t}draw(e){let{width:t,actualBoundingBoxAscent:i,actualBoundingBoxDescent:n,actualBoundingBoxLeft:o,actualBoundingBoxRight:s}=this.ctx.measureText(e),a=Math.ceil(i),c=Math.floor(-o),l=Math.max(0,Math.min(this.maxGlyphDim,Math.ceil(s)-c)),f=Math.max(0,Math.min(this.maxGlyphDim,a+Math.ceil(n))),u=l+2*this.buffer,d=f+2*this.buffer,h=u*d,p=new Uint8ClampedArray(h),g={data:p,width:u,height:d,glyphWidth:l,glyphHeight:f,glyphTop:a,glyphLeft:c,glyphAdvance:t};if(l===0||f===0)return g;let{ctx:m,buffer:y,gridInner:v,gridOuter:_}=this;m.clearRect(y,y,l,f),m.fillText(e,y-c,y+a);let b=m.getImageData(y,y,l,f);_.fill(1e20,0,h),v.fill(0,0,h);let w=3;for(let C=0;C<f;C++){let S=(C+y)*u+y;for(let R=0;R<l;R++,w+=4,S++){let I=b.data[w];if(I===0)continue;let A=jg[I];_[S]=Math.max(0,A),v[S]=Math.max(0,-A)}}NS(_,0,0,u,d,u,this.f,this.v,this.z,y);let P=Math.min(y,1);NS(v,y-P,y-P,l+2*P,f+2*P,u,this.f,this.v,this.z);let L=255/this.radius,T=255*(1-this.cutoff);for(let C=0;C<h;C++){let S=Math.sqrt(_[C])-Math.sqrt(v[C]);p[C]=T-L*S}return g}};function NS(r,e,t,i,n,o,s,a,c,l=0){for(let f=e+l;f<e+i-l;f++)FS(r,t*o+f,o,n,s,a,c);for(let f=t;f<t+n;f++)FS(r,f*o+e,1,i,s,a,c)}function FS(r,e,t,i,n,o,s){o[0]=0,s[0]=-1e20,s[1]=1e20,n[0]=r[e];for(let a=1,c=0;a<i;a++){let l=n[a]=r[e+a*t],f=a*a,u;do{let d=o[c];u=(l-n[d]+f-d*d)/(a-d)/2}while(u<=s[c]&&--c>-1);c++,o[c]=a,s[c]=u,s[c+1]=1e20}for(let a=0,c=0;a<i;a++){for(;s[c+1]<a;)c++;let l=o[c],f=a-l;r[e+a*t]=n[l]+f*f}}var TN=32,LN=[];function CN(r){return Math.pow(2,Math.ceil(Math.log2(r)))}function zS({characterSet:r,measureText:e,buffer:t,maxCanvasWidth:i,mapping:n={},xOffset:o=0,yOffsetMin:s=0,yOffsetMax:a=0}){let l=o,f=s,u=a;for(let d of r)if(!n[d]){let{advance:h,width:p,ascent:g,descent:m}=e(d),y=g+m;l+p+t*2>i&&(l=0,f=u),n[d]={x:l+t,y:f+t,width:p,height:y,advance:h,anchorX:p/2,anchorY:g},l+=p+t*2,u=Math.max(u,f+y+t*2)}return{mapping:n,xOffset:l,yOffsetMin:f,yOffsetMax:u,canvasHeight:CN(u)}}function US(r,e,t,i){let n=0;for(let o=e;o<t;o++){let s=r[o];n+=i[s]?.advance||0}return n}function GS(r,e,t,i,n,o){let s=e,a=0;for(let c=e;c<t;c++){let l=US(r,c,c+1,n);a+l>i&&(s<c&&o.push(c),s=c,a=0),a+=l}return a}function AN(r,e,t,i,n,o){let s=e,a=e,c=e,l=0;for(let f=e;f<t;f++)if((r[f]===" "||r[f+1]===" "||f+1===t)&&(c=f+1),c>a){let u=US(r,a,c,n);l+u>i&&(s<a&&(o.push(a),s=a,l=0),u>i&&(u=GS(r,a,c,i,n,o),s=o[o.length-1])),a=c,l+=u}return l}function MN(r,e,t,i,n=0,o){o===void 0&&(o=r.length);let s=[];return e==="break-all"?GS(r,n,o,t,i,s):AN(r,n,o,t,i,s),s}function IN(r,e,t,i,n,o){let s=0,a=0;for(let c=e;c<t;c++){let l=r[c],f=i[l];f&&(a=Math.max(a,f.height))}for(let c=e;c<t;c++){let l=r[c],f=i[l];f?(n[c]=s+f.anchorX,s+=f.advance):(B.warn(`Missing character: ${l} (${l.codePointAt(0)})`)(),n[c]=s,s+=TN)}o[0]=s,o[1]=a}function VS(r,e,t,i,n,o){let s=Array.from(r),a=s.length,c=new Array(a),l=new Array(a),f=new Array(a),u=(i==="break-word"||i==="break-all")&&isFinite(n)&&n>0,d=[0,0],h=[0,0],p=0,g=e+t/2,m=0,y=0;for(let v=0;v<=a;v++){let _=s[v];if((_===`
`||v===a)&&(y=v),y>m){let b=u?MN(s,i,n,o,m,y):LN;for(let w=0;w<=b.length;w++){let P=w===0?m:b[w-1],L=w<b.length?b[w]:y;IN(s,P,L,o,c,h);for(let T=P;T<L;T++)l[T]=g,f[T]=h[0];p++,g+=t,d[0]=Math.max(d[0],h[0])}m=y}_===`
`&&(c[m]=0,l[m]=0,f[m]=0,m++)}return d[1]=p*t,{x:c,y:l,rowWidth:f,size:d}}function $S({value:r,length:e,stride:t,offset:i,startIndices:n,characterSet:o}){let s=r.BYTES_PER_ELEMENT,a=t?t/s:1,c=i?i/s:0,l=n[e]||Math.ceil((r.length-c)/a),f=o&&new Set,u=new Array(e),d=r;if(a>1||c>0){let h=r.constructor;d=new h(l);for(let p=0;p<l;p++)d[p]=r[p*a+c]}for(let h=0;h<e;h++){let p=n[h],g=n[h+1]||l,m=d.subarray(p,g);u[h]=String.fromCodePoint.apply(null,m),f&&m.forEach(f.add,f)}if(f)for(let h of f)o.add(String.fromCodePoint(h));return{texts:u,characterCount:l}}var Rn=class{constructor(e=5){this._cache={},this._order=[],this.limit=e}get(e){let t=this._cache[e];return t&&(this._deleteOrder(e),this._appendOrder(e)),t}set(e,t){this._cache[e]?(this.delete(e),this._cache[e]=t,this._appendOrder(e)):(Object.keys(this._cache).length===this.limit&&this.delete(this._order[0]),this._cache[e]=t,this._appendOrder(e))}delete(e){this._cache[e]&&(delete this._cache[e],this._deleteOrder(e))}_deleteOrder(e){let t=this._order.indexOf(e);t>=0&&this._order.splice(t,1)}_appendOrder(e){this._order.push(e)}};function RN(){let r=[];for(let e=32;e<128;e++)r.push(String.fromCharCode(e));return r}var wi={fontFamily:"Monaco, monospace",fontWeight:"normal",characterSet:RN(),fontSize:64,buffer:4,sdf:!1,cutoff:.25,radius:12,smoothing:.1},WS=1024,jS=.9,HS=.3,qS=3,zf=new Rn(qS);function ON(r,e){let t;typeof e=="string"?t=new Set(Array.from(e)):t=new Set(e);let i=zf.get(r);if(!i)return t;for(let n in i.mapping)t.has(n)&&t.delete(n);return t}function BN(r,e){for(let t=0;t<r.length;t++)e.data[4*t+3]=r[t]}function YS(r,e,t,i){r.font=`${i} ${t}px ${e}`,r.fillStyle="#000",r.textBaseline="alphabetic",r.textAlign="left"}function DN(r,e,t){if(t===void 0){let n=r.measureText("A");return n.fontBoundingBoxAscent?{advance:0,width:0,ascent:Math.ceil(n.fontBoundingBoxAscent),descent:Math.ceil(n.fontBoundingBoxDescent)}:{advance:0,width:0,ascent:e*jS,descent:e*HS}}let i=r.measureText(t);return i.actualBoundingBoxAscent?{advance:i.width,width:Math.ceil(i.actualBoundingBoxRight-i.actualBoundingBoxLeft),ascent:Math.ceil(i.actualBoundingBoxAscent),descent:Math.ceil(i.actualBoundingBoxDescent)}:{advance:i.width,width:i.width,ascent:e*jS,descent:e*HS}}function ZS(r){B.assert(Number.isFinite(r)&&r>=qS,"Invalid cache limit"),zf=new Rn(r)}var ma=class{constructor(){this.props={...wi}}get atlas(){return this._atlas}get mapping(){return this._atlas&&this._atlas.mapping}setProps(e={}){Object.assign(this.props,e),e._getFontRenderer&&(this._getFontRenderer=e._getFontRenderer),this._key=this._getKey();let t=ON(this._key,this.props.characterSet),i=zf.get(this._key);if(i&&t.size===0){this._atlas!==i&&(this._atlas=i);return}let n=this._generateFontAtlas(t,i);this._atlas=n,zf.set(this._key,n)}_generateFontAtlas(e,t){let{fontFamily:i,fontWeight:n,fontSize:o,buffer:s,sdf:a,radius:c,cutoff:l}=this.props,f=t&&t.data;f||(f=document.createElement("canvas"),f.width=WS);let u=f.getContext("2d",{willReadFrequently:!0});YS(u,i,o,n);let d=b=>DN(u,o,b),h;this._getFontRenderer?h=this._getFontRenderer(this.props):a&&(h={measure:d,draw:kN(this.props)});let{mapping:p,canvasHeight:g,xOffset:m,yOffsetMin:y,yOffsetMax:v}=zS({measureText:b=>h?h.measure(b):d(b),buffer:s,characterSet:e,maxCanvasWidth:WS,...t&&{mapping:t.mapping,xOffset:t.xOffset,yOffsetMin:t.yOffsetMin,yOffsetMax:t.yOffsetMax}});if(f.height!==g){let b=f.height>0?u.getImageData(0,0,f.width,f.height):null;f.height=g,b&&u.putImageData(b,0,0)}if(YS(u,i,o,n),h)for(let b of e){let w=p[b],P=w.width,{data:L,left:T=0,top:C=0}=h.draw(b),S=w.x-T,R=w.y-C,I=Math.max(0,Math.round(S)),A=Math.max(0,Math.round(R)),O=Math.min(L.width,f.width-I),W=Math.min(L.height,f.height-A);u.putImageData(L,I,A,0,0,O,W),w.x=I,w.y=A,w.width=O,w.height=W,w.anchorX+=O/2-T-P/2,w.anchorY+=C}else for(let b of e){let w=p[b];u.fillText(b,w.x,w.y+w.anchorY)}let _=h?h.measure():d();return{baselineOffset:(_.ascent-_.descent)/2,xOffset:m,yOffsetMin:y,yOffsetMax:v,mapping:p,data:f,width:f.width,height:f.height}}_getKey(){let{fontFamily:e,fontWeight:t,fontSize:i,buffer:n,sdf:o,radius:s,cutoff:a}=this.props;return o?`${e} ${t} ${i} ${n} ${s} ${a}`:`${e} ${t} ${i} ${n}`}};function kN({fontSize:r,buffer:e,radius:t,cutoff:i,fontFamily:n,fontWeight:o}){let s=new ga({fontSize:r,buffer:e,radius:t,cutoff:i,fontFamily:n,fontWeight:`${o}`});return a=>{let{data:c,width:l,height:f}=s.draw(a),u=new ImageData(l,f);return BN(c,u),{data:u,left:e,top:e}}}q();q();var NN=`struct TextBackgroundUniforms {
  billboard: f32,
  sizeScale: f32,
  sizeMinPixels: f32,
  sizeMaxPixels: f32,
  borderRadius: vec4<f32>,
  padding: vec4<f32>,
  sizeUnits: i32,
  stroked: f32,
};

@group(0) @binding(auto) var<uniform> textBackground: TextBackgroundUniforms;
`,XS=`layout(std140) uniform textBackgroundUniforms {
  bool billboard;
  float sizeScale;
  float sizeMinPixels;
  float sizeMaxPixels;
  vec4 borderRadius;
  vec4 padding;
  highp int sizeUnits;
  bool stroked;
} textBackground;
`,KS={name:"textBackground",source:NN,vs:XS,fs:XS,uniformTypes:{billboard:"f32",sizeScale:"f32",sizeMinPixels:"f32",sizeMaxPixels:"f32",borderRadius:"vec4<f32>",padding:"vec4<f32>",sizeUnits:"i32",stroked:"f32"}};var QS=`#version 300 es
#define SHADER_NAME text-background-layer-vertex-shader
in vec2 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in vec4 instanceRects;
in vec4 instanceClipRect;
in float instanceSizes;
in float instanceAngles;
in vec2 instancePixelOffsets;
in float instanceLineWidths;
in vec4 instanceFillColors;
in vec4 instanceLineColors;
out vec4 vFillColor;
out vec4 vLineColor;
out float vLineWidth;
out vec2 uv;
out vec2 dimensions;
vec2 rotate_by_angle(vec2 vertex, float angle) {
float angle_radian = radians(angle);
float cos_angle = cos(angle_radian);
float sin_angle = sin(angle_radian);
mat2 rotationMatrix = mat2(cos_angle, -sin_angle, sin_angle, cos_angle);
return rotationMatrix * vertex;
}
void main(void) {
geometry.worldPosition = instancePositions;
geometry.uv = positions;
geometry.pickingColor = picking_getPickingColorFromInstanceID();
uv = positions;
vLineWidth = instanceLineWidths;
float sizePixels = clamp(
project_size_to_pixel(instanceSizes * textBackground.sizeScale, textBackground.sizeUnits),
textBackground.sizeMinPixels, textBackground.sizeMaxPixels
);
float instanceScale = sizePixels / text.fontSize;
dimensions = instanceRects.zw * instanceScale + textBackground.padding.xy + textBackground.padding.zw;
vec2 pixelOffset = (positions * instanceRects.zw + instanceRects.xy) * instanceScale + mix(-textBackground.padding.xy, textBackground.padding.zw, positions);
pixelOffset = rotate_by_angle(pixelOffset, instanceAngles);
pixelOffset += instancePixelOffsets;
pixelOffset.y *= -1.0;
vec2 xy = project_size_to_pixel(instanceClipRect.xy);
vec2 wh = project_size_to_pixel(instanceClipRect.zw);
if (text.flipY) {
xy.y = -xy.y - wh.y;
}
if (instanceClipRect.z >= 0.0) {
dimensions.x = wh.x;
pixelOffset.x = xy.x + uv.x * wh.x + mix(-textBackground.padding.x, textBackground.padding.z, uv.x);
}
if (instanceClipRect.w >= 0.0) {
dimensions.y = wh.y;
pixelOffset.y = xy.y + uv.y * wh.y + mix(-textBackground.padding.y, textBackground.padding.w, uv.y);
}
if (textBackground.billboard)  {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = vec3(pixelOffset, 0.0);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset_common = vec3(project_pixel_size(pixelOffset), 0.0);
if (text.flipY) {
offset_common.y *= -1.;
}
DECKGL_FILTER_SIZE(offset_common, geometry);
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset_common, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
vFillColor = vec4(instanceFillColors.rgb, instanceFillColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vFillColor, geometry);
vLineColor = vec4(instanceLineColors.rgb, instanceLineColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vLineColor, geometry);
}
`;var JS=`#version 300 es
#define SHADER_NAME text-background-layer-fragment-shader
precision highp float;
in vec4 vFillColor;
in vec4 vLineColor;
in float vLineWidth;
in vec2 uv;
in vec2 dimensions;
out vec4 fragColor;
float round_rect(vec2 p, vec2 size, vec4 radii) {
vec2 pixelPositionCB = (p - 0.5) * size;
vec2 sizeCB = size * 0.5;
float maxBorderRadius = min(size.x, size.y) * 0.5;
vec4 borderRadius = vec4(min(radii, maxBorderRadius));
borderRadius.xy =
(pixelPositionCB.x > 0.0) ? borderRadius.xy : borderRadius.zw;
borderRadius.x = (pixelPositionCB.y > 0.0) ? borderRadius.x : borderRadius.y;
vec2 q = abs(pixelPositionCB) - sizeCB + borderRadius.x;
return -(min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - borderRadius.x);
}
float rect(vec2 p, vec2 size) {
vec2 pixelPosition = p * size;
return min(min(pixelPosition.x, size.x - pixelPosition.x),
min(pixelPosition.y, size.y - pixelPosition.y));
}
vec4 get_stroked_fragColor(float dist) {
float isBorder = smoothedge(dist, vLineWidth);
return mix(vFillColor, vLineColor, isBorder);
}
void main(void) {
geometry.uv = uv;
if (textBackground.borderRadius != vec4(0.0)) {
float distToEdge = round_rect(uv, dimensions, textBackground.borderRadius);
float shapeAlpha = smoothedge(-distToEdge, 0.0);
if (shapeAlpha == 0.0) {
discard;
}
if (textBackground.stroked) {
fragColor = get_stroked_fragColor(distToEdge);
} else {
fragColor = vFillColor;
}
fragColor.a *= shapeAlpha;
} else {
if (textBackground.stroked) {
float distToEdge = rect(uv, dimensions);
fragColor = get_stroked_fragColor(distToEdge);
} else {
fragColor = vFillColor;
}
}
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var e3=`struct TextUniforms {
  cutoffPixels: vec2<f32>,
  align: vec2<i32>,
  fontSize: f32,
  flipY: f32,
};

@group(0) @binding(auto) var<uniform> text: TextUniforms;

fn rotate_by_angle(vertex: vec2<f32>, angle: f32) -> vec2<f32> {
  let angleRadian = radians(angle);
  let cosine = cos(angleRadian);
  let sine = sin(angleRadian);
  let rotationMatrix = mat2x2<f32>(
    vec2<f32>(cosine, -sine),
    vec2<f32>(sine, cosine)
  );
  return rotationMatrix * vertex;
}

struct Attributes {
  @builtin(instance_index) instanceIndex: u32,
  @location(0) positions: vec2<f32>,
  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceSizes: f32,
  @location(4) instanceAngles: f32,
  @location(5) instanceRects: vec4<f32>,
  @location(6) instanceClipRect: vec4<f32>,
  @location(7) instancePixelOffsets: vec2<f32>,
  @location(8) instanceFillColors: vec4<f32>,
  @location(9) instanceLineColors: vec4<f32>,
  @location(10) instanceLineWidths: f32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vFillColor: vec4<f32>,
  @location(1) vLineColor: vec4<f32>,
  @location(2) vLineWidth: f32,
  @location(3) uv: vec2<f32>,
  @location(4) dimensions: vec2<f32>,
  @location(5) pickingColor: vec3<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  geometry.worldPosition = attributes.instancePositions;
  geometry.uv = attributes.positions;
  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.instanceIndex);

  var varyings: Varyings;
  varyings.uv = attributes.positions;
  varyings.vLineWidth = attributes.instanceLineWidths;

  let sizePixels = clamp(
    project_unit_size_to_pixel(
      attributes.instanceSizes * textBackground.sizeScale,
      textBackground.sizeUnits
    ),
    textBackground.sizeMinPixels,
    textBackground.sizeMaxPixels
  );
  let instanceScale = sizePixels / text.fontSize;

  varyings.dimensions = attributes.instanceRects.zw * instanceScale +
    textBackground.padding.xy + textBackground.padding.zw;

  var pixelOffset =
    (attributes.positions * attributes.instanceRects.zw + attributes.instanceRects.xy) *
      instanceScale +
    mix(-textBackground.padding.xy, textBackground.padding.zw, attributes.positions);
  pixelOffset = rotate_by_angle(pixelOffset, attributes.instanceAngles);
  pixelOffset = pixelOffset + attributes.instancePixelOffsets;
  pixelOffset.y = pixelOffset.y * -1.0;

  var xy = project_size_vec2(attributes.instanceClipRect.xy) * project.scale;
  let wh = project_size_vec2(attributes.instanceClipRect.zw) * project.scale;
  if (text.flipY > 0.5) {
    xy.y = -xy.y - wh.y;
  }
  if (attributes.instanceClipRect.z >= 0.0) {
    varyings.dimensions.x = wh.x;
    pixelOffset.x = xy.x + varyings.uv.x * wh.x + mix(
      -textBackground.padding.x,
      textBackground.padding.z,
      varyings.uv.x
    );
  }
  if (attributes.instanceClipRect.w >= 0.0) {
    varyings.dimensions.y = wh.y;
    pixelOffset.y = xy.y + varyings.uv.y * wh.y + mix(
      -textBackground.padding.y,
      textBackground.padding.w,
      varyings.uv.y
    );
  }

  if (textBackground.billboard > 0.5) {
    var position = project_position_to_clipspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      vec3<f32>(0.0)
    );
    let clipOffset = project_pixel_size_to_clipspace(pixelOffset);
    position = vec4<f32>(
      position.x + clipOffset.x,
      position.y + clipOffset.y,
      position.z,
      position.w
    );
    varyings.position = position;
  } else {
    var offsetCommon = vec3<f32>(project_pixel_size_vec2(pixelOffset), 0.0);
    if (text.flipY > 0.5) {
      offsetCommon.y = offsetCommon.y * -1.0;
    }
    varyings.position = project_position_to_clipspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      offsetCommon
    );
  }

  varyings.vFillColor = vec4<f32>(
    attributes.instanceFillColors.rgb,
    attributes.instanceFillColors.a * layer.opacity
  );
  varyings.vLineColor = vec4<f32>(
    attributes.instanceLineColors.rgb,
    attributes.instanceLineColors.a * layer.opacity
  );
  varyings.pickingColor = geometry.pickingColor;
  return varyings;
}

fn round_rect(point: vec2<f32>, size: vec2<f32>, radii: vec4<f32>) -> f32 {
  let pixelPosition = (point - 0.5) * size;
  let halfSize = size * 0.5;
  let maxBorderRadius = min(size.x, size.y) * 0.5;
  var borderRadius = min(radii, vec4<f32>(maxBorderRadius));

  borderRadius = select(borderRadius.zwxy, borderRadius, pixelPosition.x > 0.0);
  let radius = select(borderRadius.y, borderRadius.x, pixelPosition.y > 0.0);
  let q = abs(pixelPosition) - halfSize + radius;
  return -(min(max(q.x, q.y), 0.0) + length(max(q, vec2<f32>(0.0))) - radius);
}

fn rect(point: vec2<f32>, size: vec2<f32>) -> f32 {
  let pixelPosition = point * size;
  return min(
    min(pixelPosition.x, size.x - pixelPosition.x),
    min(pixelPosition.y, size.y - pixelPosition.y)
  );
}

fn get_stroked_frag_color(
  distanceToEdge: f32,
  lineWidth: f32,
  fillColor: vec4<f32>,
  lineColor: vec4<f32>
) -> vec4<f32> {
  let isBorder = smoothedge(distanceToEdge, lineWidth);
  return mix(fillColor, lineColor, isBorder);
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = varyings.uv;
  var fragColor: vec4<f32>;

  if (any(textBackground.borderRadius != vec4<f32>(0.0))) {
    let distanceToEdge = round_rect(
      varyings.uv,
      varyings.dimensions,
      textBackground.borderRadius
    );
    let shapeAlpha = smoothedge(-distanceToEdge, 0.0);
    if (shapeAlpha == 0.0) {
      discard;
    }
    if (textBackground.stroked > 0.5) {
      fragColor = get_stroked_frag_color(
        distanceToEdge,
        varyings.vLineWidth,
        varyings.vFillColor,
        varyings.vLineColor
      );
    } else {
      fragColor = varyings.vFillColor;
    }
    fragColor.a = fragColor.a * shapeAlpha;
  } else if (textBackground.stroked > 0.5) {
    let distanceToEdge = rect(varyings.uv, varyings.dimensions);
    fragColor = get_stroked_frag_color(
      distanceToEdge,
      varyings.vLineWidth,
      varyings.vFillColor,
      varyings.vLineColor
    );
  } else {
    fragColor = varyings.vFillColor;
  }

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(varyings.pickingColor)) {
      discard;
    }
    return vec4<f32>(varyings.pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(varyings.pickingColor - highlightedObjectColor))) {
      let highlightAlpha = picking.highlightColor.a;
      let blendedAlpha = highlightAlpha + fragColor.a * (1.0 - highlightAlpha);
      if (blendedAlpha > 0.0) {
        let highlightRatio = highlightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highlightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return deckgl_premultiplied_alpha(fragColor);
}
`;var FN={billboard:!0,sizeScale:1,sizeUnits:"pixels",sizeMinPixels:0,sizeMaxPixels:Number.MAX_SAFE_INTEGER,fontSize:1,borderRadius:{type:"object",value:0},padding:{type:"array",value:[0,0,0,0]},getPosition:{type:"accessor",value:r=>r.position},getSize:{type:"accessor",value:1},getAngle:{type:"accessor",value:0},getPixelOffset:{type:"accessor",value:[0,0]},getBoundingRect:{type:"accessor",value:[0,0,0,0]},getClipRect:{type:"accessor",value:[0,0,-1,-1]},getFillColor:{type:"accessor",value:[0,0,0,255]},getLineColor:{type:"accessor",value:[0,0,0,255]},getLineWidth:{type:"accessor",value:1}},_a=class extends ae{getShaders(){return super.getShaders({vs:QS,fs:JS,source:e3,modules:[de,fe,he,KS,Ff]})}initializeState(){this.getAttributeManager().addInstanced({instancePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getPosition"},instanceSizes:{size:1,transition:!0,bufferGroup:"text-background-instance-data",accessor:"getSize",defaultValue:1},instanceAngles:{size:1,transition:!0,bufferGroup:"text-background-instance-data",accessor:"getAngle"},instanceRects:{size:4,bufferGroup:"text-background-instance-data",accessor:"getBoundingRect"},instanceClipRect:{size:4,bufferGroup:"text-background-instance-data",accessor:"getClipRect",defaultValue:[0,0,-1,-1]},instancePixelOffsets:{size:2,transition:!0,bufferGroup:"text-background-instance-data",accessor:"getPixelOffset"},instanceFillColors:{size:4,transition:!0,type:"unorm8",accessor:"getFillColor",defaultValue:[0,0,0,255]},instanceLineColors:{size:4,transition:!0,type:"unorm8",accessor:"getLineColor",defaultValue:[0,0,0,255]},instanceLineWidths:{size:1,transition:!0,bufferGroup:"text-background-instance-data",accessor:"getLineWidth",defaultValue:1}})}updateState(e){super.updateState(e);let{changeFlags:t}=e;t.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{billboard:t,sizeScale:i,sizeUnits:n,sizeMinPixels:o,sizeMaxPixels:s,getLineWidth:a,fontSize:c}=this.props,{padding:l,borderRadius:f}=this.props;l.length<4&&(l=[l[0],l[1],l[0],l[1]]),Array.isArray(f)||(f=[f,f,f,f]);let u=this.state.model,d={billboard:t,stroked:!!a,borderRadius:f,padding:l,sizeUnits:ne[n],sizeScale:i,sizeMinPixels:o,sizeMaxPixels:s},h={fontSize:c,viewport:this.context.viewport};u.shaderInputs.setProps({textBackground:d,text:h}),u.draw(this.context.renderPass)}_getModel(){let e=[0,0,1,0,0,1,1,1];return new Z(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new pe({topology:"triangle-strip",vertexCount:4,attributes:{positions:{size:2,value:new Float32Array(e)}}}),isInstanced:!0})}};_a.defaultProps=FN;_a.layerName="TextBackgroundLayer";var t3=_a;var r3={start:1,middle:0,end:-1},i3={top:1,center:0,bottom:-1},Hg=[0,0,0,255],zN=1,UN={billboard:!0,sizeScale:1,sizeUnits:"pixels",sizeMinPixels:0,sizeMaxPixels:Number.MAX_SAFE_INTEGER,background:!1,getBackgroundColor:{type:"accessor",value:[255,255,255,255]},getBorderColor:{type:"accessor",value:Hg},getBorderWidth:{type:"accessor",value:0},backgroundBorderRadius:{type:"object",value:0},backgroundPadding:{type:"array",value:[0,0,0,0]},characterSet:{type:"object",value:wi.characterSet},fontFamily:wi.fontFamily,fontWeight:wi.fontWeight,lineHeight:zN,outlineWidth:{type:"number",value:0,min:0},outlineColor:{type:"color",value:Hg},fontSettings:{type:"object",value:{},compare:1},wordBreak:"break-word",maxWidth:{type:"number",value:-1},contentCutoffPixels:{type:"array",value:[0,0]},contentAlignHorizontal:"none",contentAlignVertical:"none",getText:{type:"accessor",value:r=>r.text},getPosition:{type:"accessor",value:r=>r.position},getColor:{type:"accessor",value:Hg},getSize:{type:"accessor",value:32},getAngle:{type:"accessor",value:0},getTextAnchor:{type:"accessor",value:"middle"},getAlignmentBaseline:{type:"accessor",value:"center"},getPixelOffset:{type:"accessor",value:[0,0]},getContentBox:{type:"accessor",value:[0,0,-1,-1]},backgroundColor:{deprecatedFor:["background","getBackgroundColor"]}},ya=class extends Ws{constructor(){super(...arguments),this.getBoundingRect=(e,t)=>{let{size:[i,n]}=this.transformParagraph(e,t),{getTextAnchor:o,getAlignmentBaseline:s}=this.props,a=r3[typeof o=="function"?o(e,t):o],c=i3[typeof s=="function"?s(e,t):s];return[(a-1)*i/2,(c-1)*n/2,i,n]},this.getIconOffsets=(e,t)=>{let{getTextAnchor:i,getAlignmentBaseline:n}=this.props,{x:o,y:s,rowWidth:a,size:[,c]}=this.transformParagraph(e,t),l=r3[typeof i=="function"?i(e,t):i],f=i3[typeof n=="function"?n(e,t):n],u=o.length,d=new Array(u*2),h=0;for(let p=0;p<u;p++)d[h++]=(l-1)*a[p]/2+o[p],d[h++]=(f-1)*c/2+s[p];return d}}initializeState(){this.state={styleVersion:0,fontAtlasManager:new ma},this.props.maxWidth>0&&B.once(1,"v8.9 breaking change: TextLayer maxWidth is now relative to text size")()}updateState(e){let{props:t,oldProps:i,changeFlags:n}=e;(n.dataChanged||n.updateTriggersChanged&&(n.updateTriggersChanged.all||n.updateTriggersChanged.getText))&&this._updateText(),(this._updateFontAtlas()||t.lineHeight!==i.lineHeight||t.wordBreak!==i.wordBreak||t.maxWidth!==i.maxWidth)&&this.setState({styleVersion:this.state.styleVersion+1})}getPickingInfo({info:e}){return e.object=e.index>=0?this.props.data[e.index]:null,e}_updateFontAtlas(){let{fontSettings:e,fontFamily:t,fontWeight:i,_getFontRenderer:n}=this.props,{fontAtlasManager:o,characterSet:s}=this.state,a={...e,characterSet:s,fontFamily:t,fontWeight:i,_getFontRenderer:n};if(!o.mapping)return o.setProps(a),!0;for(let c in a)if(a[c]!==o.props[c])return o.setProps(a),!0;return!1}_updateText(){let{data:e,characterSet:t}=this.props,i=e.attributes?.getText,{getText:n}=this.props,o=e.startIndices,s,a=t==="auto"&&new Set;if(i&&o){let{texts:c,characterCount:l}=$S({...ArrayBuffer.isView(i)?{value:i}:i,length:e.length,startIndices:o,characterSet:a});s=l,n=(f,{index:u})=>c[u]}else{let{iterable:c,objectInfo:l}=He(e);o=[0],s=0;for(let f of c){l.index++;let u=Array.from(n(f,l)||"");a&&u.forEach(a.add,a),s+=u.length,o.push(s)}}this.setState({getText:n,startIndices:o,numInstances:s,characterSet:a||t})}transformParagraph(e,t){let{fontAtlasManager:i}=this.state,n=i.mapping,{baselineOffset:o}=i.atlas,{fontSize:s}=i.props,a=this.state.getText,{wordBreak:c,lineHeight:l,maxWidth:f}=this.props,u=a(e,t)||"";return VS(u,o,l*s,c,f*s,n)}renderLayers(){let{startIndices:e,numInstances:t,getText:i,fontAtlasManager:{atlas:n,mapping:o},styleVersion:s}=this.state,{data:a,_dataDiff:c,getPosition:l,getColor:f,getSize:u,getAngle:d,getPixelOffset:h,getBackgroundColor:p,getBorderColor:g,getBorderWidth:m,getContentBox:y,backgroundBorderRadius:v,backgroundPadding:_,background:b,billboard:w,fontSettings:P,outlineWidth:L,outlineColor:T,sizeScale:C,sizeUnits:S,sizeMinPixels:R,sizeMaxPixels:I,contentCutoffPixels:A,contentAlignHorizontal:O,contentAlignVertical:W,transitions:z,updateTriggers:U}=this.props,Ut=this.getSubLayerClass("characters",kS),On=this.getSubLayerClass("background",t3),{fontSize:Pi}=this.state.fontAtlasManager.props;return[b&&new On({getFillColor:p,getLineColor:g,getLineWidth:m,borderRadius:v,padding:_,getPosition:l,getSize:u,getAngle:d,getPixelOffset:h,getClipRect:y,billboard:w,sizeScale:C,sizeUnits:S,sizeMinPixels:R,sizeMaxPixels:I,fontSize:Pi,transitions:z&&{getPosition:z.getPosition,getAngle:z.getAngle,getSize:z.getSize,getFillColor:z.getBackgroundColor,getLineColor:z.getBorderColor,getLineWidth:z.getBorderWidth,getPixelOffset:z.getPixelOffset}},this.getSubLayerProps({id:"background",updateTriggers:{getPosition:U.getPosition,getAngle:U.getAngle,getSize:U.getSize,getFillColor:U.getBackgroundColor,getLineColor:U.getBorderColor,getLineWidth:U.getBorderWidth,getPixelOffset:U.getPixelOffset,getBoundingRect:{getText:U.getText,getTextAnchor:U.getTextAnchor,getAlignmentBaseline:U.getAlignmentBaseline,styleVersion:s}}}),{data:a.attributes&&a.attributes.background?{length:a.length,attributes:a.attributes.background}:a,_dataDiff:c,autoHighlight:!1,getBoundingRect:this.getBoundingRect}),new Ut({sdf:P.sdf,smoothing:Number.isFinite(P.smoothing)?P.smoothing:wi.smoothing,outlineWidth:L/(P.radius||wi.radius),outlineColor:T,iconAtlas:n,iconMapping:o,getPosition:l,getColor:f,getSize:u,getAngle:d,getPixelOffset:h,getContentBox:y,billboard:w,sizeScale:C,sizeUnits:S,sizeMinPixels:R,sizeMaxPixels:I,fontSize:Pi,contentCutoffPixels:A,contentAlignHorizontal:O,contentAlignVertical:W,transitions:z&&{getPosition:z.getPosition,getAngle:z.getAngle,getColor:z.getColor,getSize:z.getSize,getPixelOffset:z.getPixelOffset,getContentBox:z.getContentBox}},this.getSubLayerProps({id:"characters",updateTriggers:{all:U.getText,getPosition:U.getPosition,getAngle:U.getAngle,getColor:U.getColor,getSize:U.getSize,getPixelOffset:U.getPixelOffset,getContentBox:U.getContentBox,getIconOffsets:{getTextAnchor:U.getTextAnchor,getAlignmentBaseline:U.getAlignmentBaseline,styleVersion:s}}}),{data:a,_dataDiff:c,startIndices:e,numInstances:t,getIconOffsets:this.getIconOffsets,getIcon:i})]}static set fontAtlasCacheLimit(e){ZS(e)}};ya.defaultProps=UN;ya.layerName="TextLayer";var n3=ya;export{gE as ArcLayer,wE as BitmapLayer,sP as Deck,wf as IconLayer,FE as LineLayer,gi as MapController,sl as MapView,Lf as PathLayer,MS as PolygonLayer,jE as ScatterplotLayer,Nf as SolidPolygonLayer,n3 as TextLayer,xr as WebMercatorViewport};
