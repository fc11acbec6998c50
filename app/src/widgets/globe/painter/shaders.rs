//! Vertex and fragment shaders. Positions are in radii of the globe, and sizes in pixels.

/// The sphere, lit from the upper left and darker at night, and its atmosphere, which is brightest
/// on the lit side.
pub(super) const SPHERE: [&str; 2] = [
    "out vec2 at;void main(){\
     at=vec2(gl_VertexID&1,gl_VertexID>>1)*2.6-1.3;gl_Position=vec4(at*scale,0,1);}",
    "in vec2 at;uniform float pixel;uniform vec3 near,far,air,dark;out vec4 c;\
     void main(){float d=length(at),ball=clamp((1.-d)/pixel+.5,0.,1.),\
     z=sqrt(max(0.,1.-d*d)),lit=.5-.5*dot(at,vec2(.5,-.86))/max(d,.01);\
     vec3 g=mix(near,far,min(1.,length(at-vec2(-.2,.3))/1.4));\
     g=mix(g,dark,.6*smoothstep(.14,-.2,dot(vec3(at,z),sun)));\
     g=mix(g,air,pow(1.-z,3.)*(.15+.45*lit));\
     float rim=clamp(1.-(d-1.)/.15,0.,1.);rim*=rim*rim*(.2+.6*lit);\
     c=vec4(g,1)*ball+vec4(air,1)*rim*(1.-ball);}",
];

/// Dots of the land, smaller and fainter towards the edge, where the ground is seen from the side,
/// and fainter at night.
pub(super) const LAND: [&str; 2] = [
    "in vec3 place;uniform mat3 turn;uniform float size;out float a,d;\
     void main(){vec3 p=turn*place;gl_Position=p.z<.03?vec4(2,2,2,1):vec4(p.xy*scale,0,1);\
     d=size*(.5+.5*p.z)+1.;gl_PointSize=d;\
     a=(.3+.55*p.z)*(1.-.35*smoothstep(.14,-.2,dot(p,sun)));}",
    "in float a,d;uniform float strength;uniform vec3 tint;out vec4 c;void main(){\
     c=vec4(tint,1)*clamp((.5-length(gl_PointCoord-.5))*d,0.,1.)*a*strength;}",
];

/// Edges of lines, little more than one pixel wide, and fainter towards the edge of the globe.
pub(super) const LINES: [&str; 2] = [
    "in vec3 place,more;uniform mat3 turn;uniform float pixel;out float off,z;\
     void main(){vec3 a=turn*place,b=turn*more,p=(gl_VertexID&1)==0?a:b;z=min(a.z,b.z);\
     off=float(gl_VertexID>>1&1)*4.-2.;vec2 w=normalize(b.xy-a.xy+vec2(1e-6,0));\
     gl_Position=z<.02?vec4(2,2,2,1):vec4((p.xy+vec2(-w.y,w.x)*off*pixel)*scale,0,1);}",
    "in float off,z;uniform float strength;uniform vec3 tint;out vec4 c;\
     void main(){c=vec4(tint,1)*clamp(1.1-abs(off),0.,1.)*strength*smoothstep(0.,.4,z);}",
];

/// Lights: a core with a halo, both stronger the larger they are. `more` is the type, and the
/// opacity of the core. `hot` is the share of white in the middle of the core on a dark ground; on a
/// light one it is 0, and the halo is a lighter shade of the colour.
pub(super) const LIGHTS: [&str; 2] = [
    "in vec4 place;in vec2 more;uniform mat3 turn;uniform float grow,pixel,hot,glow;\
     uniform vec3 spirit,water,both;out vec2 at;out vec3 tint;out vec4 halo;out float r,body;\
     void main(){vec3 p=turn*place.xyz;at=vec2(gl_VertexID&1,gl_VertexID>>1&1)*2.-1.;\
     r=place.w*grow;at*=r*5.5;tint=more.x<.5?spirit:more.x<1.5?water:both;\
     float seen=smoothstep(.02,.3,p.z),w=clamp(place.w*100.-.9,0.,1.);body=more.y*seen*(.8+.2*w);\
     halo=vec4(hot>0.?tint:sqrt(tint),1)*(.6+.4*w)*glow*seen;\
     gl_Position=p.z<0.?vec4(2,2,2,1):vec4((p.xy+at*pixel)*scale,0,1);}",
    "in vec2 at;in vec3 tint;in vec4 halo;in float r,body;uniform float hot;out vec4 c;\
     void main(){float l=length(at)/r,f=max(0.,1.-l/5.5),k=body*clamp((1.-l)*r+.5,0.,1.);\
     c=halo*f*f*f*(1.-k)+vec4(mix(tint,vec3(1),hot*max(0.,1.-l)),1)*k;}",
];

/// A ring around a place, divided among the types, or the pillar of a new report if `radius` is 0.
pub(super) const MARK: [&str; 2] = [
    "uniform vec2 spot,size,off;uniform float pixel;out vec2 at;\
     void main(){at=vec2(gl_VertexID&1,gl_VertexID>>1)*2.-1.;at=at*size+off;\
     gl_Position=vec4((spot+at*pixel)*scale,0,1);}",
    "in vec2 at;uniform vec2 cut,size;uniform float radius,thick,strength;\
     uniform vec3 spirit,water,both;out vec4 c;float turned,arc;\
     float part(float x){return clamp(x*arc+.5,0.,1.);}\
     float sector(float from,float to){float s=0.;\
     for(float k=-1.;k<2.;k++)s+=part(turned+k-from)*part(to-turned-k);return to-from<.001?0.:s;}\
     void main(){if(radius<=0.){float x=at.x/thick,y=1.-at.y/size.y/2.;\
     c=vec4(cut.x>.5?spirit:cut.y>.5?water:both,1)*strength*max(0.,y)*(exp(-x*x)+.3*exp(-x*x/9.));return;}\
     float l=length(at);turned=fract(atan(at.x,at.y)/6.2831853);arc=l*6.2831853;\
     float s=sector(0.,cut.x),w=sector(cut.x,cut.y),b=sector(cut.y,1.);\
     c=vec4((spirit*s+water*w+both*b)/(s+w+b+1e-5),1)\
     *clamp(thick/2.+.5-abs(l-radius),0.,1.)*strength;}",
];
