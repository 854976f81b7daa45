@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b0
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  %t2 = getelementptr i8, ptr %t1, i32 4
  %t3 = getelementptr i8, ptr %b, i32 8
  %t4 = getelementptr i8, ptr %b, i32 4
  %t5 = load i32, ptr %t4, align 4
  %t6 = icmp ult i32 %t5, 4
  br i1 %t6, label %ok.7, label %bad.8, !prof !0
bad.8:
  call void @lf_fault(ptr %b, i8 zeroext 1, i16 zeroext 0, i32 %t5, i32 4) #1
  unreachable
ok.7:
  %t9 = trunc i32 %t5 to i16
  %t10 = mul i16 %t9, 2
  %t11 = zext i16 %t10 to i32
  %t12 = getelementptr i8, ptr %t3, i32 %t11
  %t13 = load i16, ptr %t12, align 2
  store i16 %t13, ptr %t2, align 2
  %t14 = getelementptr i8, ptr %b, i32 8
  %t15 = getelementptr i8, ptr %b, i32 8
  %t16 = getelementptr i8, ptr %b, i32 -4
  %t17 = load i32, ptr %t16, align 4
  %t18 = icmp ne i32 %t17, 0
  br i1 %t18, label %ok.19, label %bad.20, !prof !0
bad.20:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.19:
  %t21 = sub i32 %t17, 1
  store i32 %t21, ptr %t16, align 4
  call void @"function.Program.Last.1"(ptr %b, ptr %t14, i16 zeroext 4, ptr %t15)
  br label %b1
b1:
  %t22 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t22, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal void @"function.Program.Last.1"(ptr %b, ptr %p0, i16 zeroext %p1, ptr %p2) nounwind {
entry:
  br label %b0
b0:
  %t1 = icmp slt i16 %p1, 0
  %t2 = icmp slt i16 %p1, 0
  %t3 = and i16 %p1, 32767
  %t4 = zext i16 %t3 to i32
  %t5 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %t4, i32 1)
  %t6 = extractvalue { i32, i1 } %t5, 0
  %t7 = extractvalue { i32, i1 } %t5, 1
  %t8 = xor i1 %t7, true
  br i1 %t8, label %ok.9, label %bad.10, !prof !0
bad.10:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %t4, i32 1) #1
  unreachable
ok.9:
  %t11 = and i16 %p1, 32767
  %t12 = zext i16 %t11 to i32
  %t13 = icmp ult i32 %t6, %t12
  br i1 %t13, label %ok.14, label %bad.15, !prof !0
bad.15:
  call void @lf_fault(ptr %b, i8 zeroext 1, i16 zeroext 3, i32 %t6, i32 %t12) #1
  unreachable
ok.14:
  %t16 = trunc i32 %t6 to i16
  %t17 = mul i16 %t16, 2
  %t18 = zext i16 %t17 to i32
  %t19 = getelementptr i8, ptr %p0, i32 %t18
  %t20 = load i16, ptr %t19, align 2
  store i16 %t20, ptr %p2, align 2
  ret void
}
